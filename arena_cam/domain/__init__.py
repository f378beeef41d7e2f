"""The project's vocabulary: frozen values of plain numbers, standard library only, imported by everything above."""
