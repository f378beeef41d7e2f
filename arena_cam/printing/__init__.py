"""Things to print: the default deck. Draws with numpy and cv2; knows no camera and no game."""
