"""Entry points for hooks and servers. They never break the host that calls them."""
