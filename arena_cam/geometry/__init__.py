"""Poses, camera model, homography, convex outlines and the planes of the arena; numpy and cv2, no pictures."""
