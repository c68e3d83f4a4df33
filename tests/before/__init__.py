"""What earlier releases left behind, under the code of today."""
