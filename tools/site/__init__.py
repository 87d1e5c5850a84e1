"""Builds the site: a folder of plain files that any web server can serve.

    make site

`site/` then holds a start page and one folder for each part of the site. A part is a function
that fills its folder and says what the start page writes about it; `PARTS` lists them.
"""
