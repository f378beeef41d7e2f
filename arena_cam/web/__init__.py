"""The pages. Imports flask, never cv2 or numpy."""
