"""The names that a program finds: ``mcp``, ``runtime``, ``mcp_<alias>``, and functions."""
