"""Where in the picture the table is: as a person says, as it was found, or as markers show it.

What lies outside, racks and the box, is not read as table. docs/adr/0015 says why a found table counts
only when a person has said so.
"""
