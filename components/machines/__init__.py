"""Linux machines reached over SSH: how they are logged in to, what is put on them, what runs there."""
