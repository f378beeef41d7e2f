"""Cards on a plane seen by any camera: no tray, no fiducials, no calibration.

Belongs here: pictures without a table. Does not: landings and tilts, which need a measured table.
"""
