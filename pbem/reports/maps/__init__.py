"""Pictures of maps, made from a view and nothing else.

``paint`` is what others use: :func:`~pbem.reports.maps.paint.map_png`, ``map_svg``, ``alt_text`` and ``sectors``.  There are
two kinds of maps.  Each has a paper (what lies where), a ground (what never changes) and figures (what stands on it):

=========  =====================  ==============  ============
kind       paper                  ground          figures
=========  =====================  ==============  ============
areas      ``plan, area_maps``    ``ground``      ``areas``
hexes      ``hexplan, hex_maps``  ``hexground``   ``hexes``
=========  =====================  ==============  ============

``marks`` and ``counters`` are the pieces that both are made of, ``rasters`` makes them into pixels.  The ground is drawn once
and kept on disk (``PBEM_CACHE``), by the digest of what it is; a counter, a flag or a name is drawn once and kept in memory, by
its SVG, and pasted at whole pixels.  So what a picture shows must be the same SVG whenever it looks the same: round numbers,
origin in the middle of the mark.

**What a title gives.**  Its ``map_style`` (:class:`pbem.games.contract.MapStyle`) has the colours of its sides.

A map of *areas* needs ``map/areas.geojson`` in the folder of its scenarios (perhaps ``rivers`` and ``relief``, too), and views
with ``areas``, ``borders`` and ``boxes``, as the first title has them in ``position/seen.py``.

A map of *hexes* needs ``map/hexes.csv`` (columns ``hex`` and ``terrain``, 'sea' for water; perhaps ``port``, ``airfield`` and
columns of towns) and ``map/hexsides.csv`` (``hex_a``, ``hex_b``; perhaps ``river``, ``ridge``, ``sea``, ``road``, ``rail``), and
in its style a :class:`pbem.games.contract.HexStyle` under ``hexes``: the grid, colours of the terrain, names of the columns, and
``on_map``, a function from a view to :class:`pbem.core.documents.OnMap`: counters, control, flags, markers, boxes.  The whole map
is drawn small (:data:`~pbem.reports.maps.hexplan.FAR`), sectors of 14 by 12 hexes in a size in which ids and numbers can be read
(:data:`~pbem.reports.maps.hexplan.CLOSE`); a map no larger than a sector is always drawn like one.  The titles with hexes have
their style in ``look.py`` and ``on_map`` in ``telling/on_map.py``.
"""
