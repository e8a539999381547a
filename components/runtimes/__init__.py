"""What isolates a computer from the node it runs on."""
