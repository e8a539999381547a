"""What is proven between a running application and its way in."""
