"""What is seen of dilemmas on a table: frozen values of plain numbers, and the doubts about them."""
