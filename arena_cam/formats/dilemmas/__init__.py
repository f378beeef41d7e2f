"""What is read of photographs of dilemmas, written as JSON and for people."""
