"""Rule data: one TOML file a preset, and the catalogue of sentences they cite. No code."""
