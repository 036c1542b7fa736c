"""The workloads over a PostgreSQL server, as a user of Python would have them: postgresql_peer.py KIND WORKLOAD URL.

KIND is orm (SQLAlchemy's ORM with psycopg), psycopg or asyncpg: the drivers themselves, with COPY and plain rows. The photos
are those that the C side has loaded, in tables of the same layout; nothing notes what has changed for other programs.
"""

import asyncio
import struct
import sys

import asyncpg
import psycopg
from sqlalchemy import BigInteger, Double, Integer, SmallInteger, String, create_engine, insert, select
from sqlalchemy.orm import DeclarativeBase, Session, mapped_column

from measuring import length, measure, signed

kind, name, url = sys.argv[1:]
workload, count = name.rsplit("-", 1)
count = int(count)
SCRATCH = "peer_scratch"
SCHEMA = SCRATCH if workload in ("pg-batch", "pg-save", "pg-saves") else f"c_photos_{count}"
COLUMNS = ["_pk", "_ent", "_opt", "assetURL", "country", "date", "height", "latitude", "likes", "locationDesc", "longitude",
           "size", "width"]
TYPES = ["int8", "int4", "int8", "text", "text", "float8", "int4", "float8", "int4", "text", "float8", "int8", "int4"]
ALL = "SELECT " + ", ".join(f'"{column}"' for column in COLUMNS) + " FROM photo"
ANSWER = ("SELECT count(*) * 1000003 + count(*) FILTER (WHERE likes >= 500) * 1009 "
          "+ count(*) FILTER (WHERE country = 'Japan') FROM photo")
PEOPLE = "SELECT count(*) * 1000003 + count(*) FILTER (WHERE rating >= 500) FROM person"


class Base(DeclarativeBase):
    pass


class Record:
    """What every table of a store has."""

    key = mapped_column("_pk", BigInteger, primary_key=True, autoincrement=False)
    entity = mapped_column("_ent", Integer, default=1)
    version = mapped_column("_opt", BigInteger, default=1)


class Photo(Record, Base):
    __tablename__ = "photo"
    url = mapped_column("assetURL", String)
    country = mapped_column("country", String)
    date = mapped_column("date", Double)
    height = mapped_column("height", Integer)
    latitude = mapped_column("latitude", Double)
    likes = mapped_column("likes", Integer)
    place = mapped_column("locationDesc", String)
    longitude = mapped_column("longitude", Double)
    size = mapped_column("size", BigInteger)
    width = mapped_column("width", Integer)


class Person(Record, Base):
    __tablename__ = "person"
    name = mapped_column("name", String)
    rating = mapped_column("rating", SmallInteger)


NAMES = ["key", "entity", "version", "url", "country", "date", "height", "latitude", "likes", "place", "longitude", "size",
         "width"]


def statement(*texts):
    with psycopg.connect(url, autocommit=True) as connection:
        for text in texts:
            found = connection.execute(text)
        return found.fetchone()[0] if found.description else None


def prepare():
    tables = [f"CREATE TABLE {SCRATCH}.photo(LIKE c_photos_10000.photo INCLUDING ALL)",
              f"CREATE TABLE {SCRATCH}.person(LIKE c_photos_10000.person INCLUDING ALL)"]
    statement(f"DROP SCHEMA IF EXISTS {SCRATCH} CASCADE", f"CREATE SCHEMA {SCRATCH}", *tables)


def answer(text=ANSWER):
    return statement(f"SET search_path = {SCRATCH}", text)


def records():
    with psycopg.connect(url) as connection:
        connection.execute(f"SET search_path = c_photos_{count}")
        return connection.execute(ALL).fetchall()


def value_sum(rows):
    """Of (date, likes, size, url, place), as `server_photos_sum` in C."""
    total = 0
    for found, (date, likes, size, address, place) in enumerate(rows, 1):
        total += struct.unpack("<Q", struct.pack("<d", date))[0] + likes * 31 + size + length(address) + length(place)
    return signed((total + found) % 2**64)


def of_tuples(rows):
    return value_sum((row[5], row[8], row[11], row[3], row[9]) for row in rows)


def with_orm():
    # SQLAlchemy reads no URL whose host is a folder.
    engine = create_engine("postgresql+psycopg://",
                           creator=lambda: psycopg.connect(url, options=f"-c search_path={SCHEMA}"))
    found = []
    if workload == "pg-fetch":
        def fetch():
            found.clear()
            with Session(engine) as session:
                found.extend(session.scalars(select(Photo)))
            return len(found)

        def told():
            return value_sum((photo.date, photo.likes, photo.size, photo.url, photo.place) for photo in found)

        return measure(name, fetch, answer=told)
    if workload == "pg-saves":
        def saves():
            with Session(engine) as session:
                for number in range(1, count + 1):
                    session.add(Person(key=number, name=f"item {number}", rating=number % 1000))
                    session.commit()
            return count

        return measure(name, saves, prepare, lambda: answer(PEOPLE))
    rows = [dict(zip(NAMES, record)) for record in records()]
    if workload == "pg-batch":
        def batch():
            with Session(engine) as session:
                session.execute(insert(Photo), rows)
                session.commit()
            return count

        return measure(name, batch, prepare, answer)
    if workload == "pg-save":
        def save():
            with Session(engine) as session:
                for start in range(0, count, 10_000):
                    session.add_all(Photo(**row) for row in rows[start:start + 10_000])
                    session.commit()
                    session.expunge_all()
            return count

        return measure(name, save, prepare, answer)


def with_psycopg():
    connection = psycopg.connect(url, autocommit=True)
    connection.execute(f"SET search_path = {SCHEMA}")
    found = []
    if workload == "pg-fetch":
        def fetch():
            found.clear()
            found.extend(connection.cursor(binary=True).execute(ALL).fetchall())
            return len(found)

        return measure(name, fetch, answer=lambda: of_tuples(found))
    if workload == "pg-batch":
        rows = records()
        columns = ", ".join(f'"{column}"' for column in COLUMNS)

        def batch():
            with connection.cursor() as cursor:
                with cursor.copy(f"COPY photo({columns}) FROM STDIN (FORMAT BINARY)") as copy:
                    copy.set_types(TYPES)
                    for row in rows:
                        copy.write_row(row)
            return count

        return measure(name, batch, prepare, answer)


def with_asyncpg():
    loop = asyncio.new_event_loop()
    connection = loop.run_until_complete(asyncpg.connect(url, server_settings={"search_path": SCHEMA}))
    found = []
    if workload == "pg-fetch":
        def fetch():
            found.clear()
            found.extend(loop.run_until_complete(connection.fetch(ALL)))
            return len(found)

        return measure(name, fetch, answer=lambda: of_tuples(found))
    if workload == "pg-batch":
        rows = records()

        def batch():
            loop.run_until_complete(connection.copy_records_to_table("photo", records=rows, columns=COLUMNS))
            return count

        return measure(name, batch, prepare, answer)


{"orm": with_orm, "psycopg": with_psycopg, "asyncpg": with_asyncpg}[kind]()
