"""What a verification found, for everybody who asks: machines, a browser, a CI job, a terminal."""
