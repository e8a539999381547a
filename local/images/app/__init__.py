"""The `app` image: the stand-in application and what the image is made of."""
