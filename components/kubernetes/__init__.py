"""What every Kubernetes object of this project shares."""
