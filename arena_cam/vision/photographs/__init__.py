"""Cards in any photograph: found, named and ordered without a calibrated camera, a known table or markers."""
