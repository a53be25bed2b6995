"""A server at a distance: a relay hands each byte on later, both ways."""

import asyncio
from contextlib import contextmanager, suppress
from functools import partial
from threading import Thread

#: Most bytes of a piece.
PIECE = 1 << 16


@contextmanager
def delayed(server, delay):
    """Another address of a server, where all comes later, in its order: by so many seconds one way,
    or by what tells them for each piece.
    """
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever, daemon=True)
    thread.start()
    port = int(server.rsplit(":", 1)[1])
    relay = asyncio.start_server(partial(connect, port, delay), "127.0.0.1", 0)
    listening = asyncio.run_coroutine_threadsafe(relay, loop).result()
    try:
        yield f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    finally:
        listening.close()
        asyncio.run_coroutine_threadsafe(end(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def end():
    """Break off what is on its way."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for each in others:
        each.cancel()
    await asyncio.gather(*others, return_exceptions=True)


async def connect(port, delay, reader, writer):
    """Carry one connection to a port until both sides have ended it, or all is broken off."""
    far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
    there = carry(delay, reader, far_writer)
    back = carry(delay, far_reader, writer)
    with suppress(asyncio.CancelledError):
        await asyncio.gather(there, back, return_exceptions=True)


async def carry(delay, reader, writer):
    """Hand on what is read, each piece once it is due, none before the one that came earlier."""
    queue = asyncio.Queue()
    handing = asyncio.create_task(hand_on(queue, writer))
    clock = asyncio.get_running_loop().time
    due = 0.0
    data = b"any"
    while data:
        try:
            data = await reader.read(PIECE)
        except ConnectionError:
            data = b""
        due = max(due, clock() + (delay() if callable(delay) else delay))
        queue.put_nowait((due, data))
    await handing


async def hand_on(queue, writer):
    """Write pieces when they are due; an empty one ends it."""
    clock = asyncio.get_running_loop().time
    while True:
        due, data = await queue.get()
        await asyncio.sleep(max(0, due - clock()))
        if not data:
            break
        writer.write(data)
        await writer.drain()
    writer.close()
