"""The workloads in SQLAlchemy's ORM, over the stores that the C side has made: sqlalchemy_peer.py WORKLOAD FOLDER.

Measures and prints as Baseline/measure.c does. Each work starts with an empty session, as the framework does with an empty
context; statements are compiled once, by SQLAlchemy's own cache.
"""

import os
import shutil
import struct
import sys

from sqlalchemy import Column, Float, ForeignKey, Integer, String, Table, create_engine, event, func, or_, select, update
from sqlalchemy.orm import DeclarativeBase, Session, mapped_column, relationship, selectinload

from measuring import length, measure, signed

workload, folder = sys.argv[1], sys.argv[2]
SCRATCH = "peer-scratch.db"


class Base(DeclarativeBase):
    pass


def row(name, kind=Integer, **options):
    return mapped_column("Z" + name, kind, **options)


class Record:
    """What every table of a store has."""

    key = mapped_column("Z_PK", Integer, primary_key=True)
    entity = mapped_column("Z_ENT", Integer, default=1)
    version = mapped_column("Z_OPT", Integer, default=1)


people_of_selfies = Table(
    "Z_1SELFIES", Base.metadata,
    Column("Z_1PEOPLE", ForeignKey("ZPERSON.Z_PK"), primary_key=True),
    Column("Z_2SELFIES", ForeignKey("ZSELFIE.Z_PK"), primary_key=True))
networks_of_selfies = Table(
    "Z_2SOCIALNETWORKS", Base.metadata,
    Column("Z_2SELFIES1", ForeignKey("ZSELFIE.Z_PK"), primary_key=True),
    Column("Z_3SOCIALNETWORKS", ForeignKey("ZSOCIALNETWORK.Z_PK"), primary_key=True))


class Person(Record, Base):
    __tablename__ = "ZPERSON"
    rating = row("RATING")
    name = row("NAME", String)
    selfies = relationship("Selfie", secondary=people_of_selfies, back_populates="people")


class Selfie(Record, Base):
    __tablename__ = "ZSELFIE"
    rating = row("RATING")
    name = row("NAME", String)
    people = relationship("Person", secondary=people_of_selfies, back_populates="selfies")
    networks = relationship("Network", secondary=networks_of_selfies)


class Network(Record, Base):
    __tablename__ = "ZSOCIALNETWORK"
    rating = row("RATING")
    name = row("NAME", String)


class Photo(Record, Base):
    __tablename__ = "ZPHOTO"
    height = row("HEIGHT")
    likes = row("LIKES")
    size = row("SIZE")
    width = row("WIDTH")
    date = row("DATE", Float)
    latitude = row("LATITUDE", Float)
    longitude = row("LONGITUDE", Float)
    url = row("ASSETURL", String)
    country = row("COUNTRY", String)
    place = row("LOCATIONDESC", String)


class Sighting(Record, Base):
    __tablename__ = "ZSIGHTING"
    date = row("DATE", Float)
    uid = row("UID", String, index=True)
    shape = row("SHAPE", String)
    city = row("CITY", String)


class Owner(Record, Base):
    __tablename__ = "ZOWNER"
    name = row("NAME", String)
    members = relationship("Member")


class Member(Record, Base):
    __tablename__ = "ZMEMBER"
    owner = row("OWNER", ForeignKey("ZOWNER.Z_PK"))
    name = row("NAME", String)


def open_store(file):
    engine = create_engine("sqlite:///" + os.path.join(folder, file))

    @event.listens_for(engine, "connect")
    def configure(connection, _):
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")

    return engine


def remove_scratch():
    for suffix in ("", "-wal", "-shm"):
        path = os.path.join(folder, SCRATCH + suffix)
        if os.path.exists(path):
            os.unlink(path)


def copy_to_scratch(file):
    remove_scratch()
    for suffix in ("", "-wal"):
        if os.path.exists(os.path.join(folder, file + suffix)):
            shutil.copy(os.path.join(folder, file + suffix), os.path.join(folder, SCRATCH + suffix))
    return open_store(SCRATCH)


def digest(value, following):
    return (value * 31 + following) % 2**64


def names_of(selfies):
    total = 0
    for selfie in selfies:
        total += sum(length(person.name) for person in selfie.people)
        total += sum(length(network.name) for network in selfie.networks)
    return total


def a1():
    engine = open_store("baseline.db")

    def work():
        with Session(engine) as session:
            return sum(len(session.scalars(select(kind)).all()) for kind in (Person, Selfie, Network))

    measure("A1", work)


def a2():
    engine = open_store("baseline.db")

    def work():
        """Every member is read from the database each time: the session lets go of what it has read."""
        total = 0
        members = (
            (people_of_selfies.c.Z_1PEOPLE, people_of_selfies.c.Z_2SELFIES, Person),
            (networks_of_selfies.c.Z_3SOCIALNETWORKS, networks_of_selfies.c.Z_2SELFIES1, Network))
        with Session(engine) as session:
            for selfie in range(1, 501):
                for member, owner, kind in members:
                    for key in session.scalars(select(member).where(owner == selfie)).all():
                        found = session.get(kind, key)
                        total += length(found.name)
                        session.expunge(found)
        return total

    measure("A2", work)


def a3():
    engine = open_store("baseline.db")
    session = Session(engine)
    selfies = []

    def prepare():
        selfies.clear()
        session.expunge_all()

    def work():
        both = (selectinload(Selfie.people), selectinload(Selfie.networks))
        selfies.extend(session.scalars(select(Selfie).order_by(Selfie.key).options(*both)).all())
        return names_of(selfies)

    measure("A3", work, prepare)
    measure("A4", lambda: names_of(selfies))


def a5():
    engine = open_store("baseline.db")
    session = Session(engine)
    statement = select(Selfie).where(or_(Selfie.name.op("GLOB")("*e*ie*"), Selfie.rating < 5))

    def work():
        for _ in range(1000):
            session.expunge_all()
            found = len(session.scalars(statement).all())
        return found

    measure("A5", work)


def a6():
    engine = open_store("baseline.db")
    condition = or_(Selfie.rating < 5, Selfie.name.op("GLOB")("*e*ie*"))

    def work():
        with Session(engine) as session:
            return len(session.scalars(select(Person).where(Person.selfies.any(condition))).all())

    measure("A6", work)


def a7():
    engine = copy_to_scratch("baseline.db")

    def one_by_one():
        with Session(engine) as session:
            people = session.scalars(select(Person)).all()
            for person in people:
                person.rating += 1
                person.version += 1
            session.commit()
            return len(people)

    def at_once():
        with Session(engine) as session:
            statement = update(Person).values(rating=Person.rating + 1, version=Person.version + 1)
            changed = session.execute(statement.execution_options(synchronize_session=False)).rowcount
            session.commit()
            return changed

    measure("A7-single", one_by_one)
    measure("A7-batch", at_once)
    engine.dispose()
    remove_scratch()


INDEXINGS = {"none": (), "single": (("ZDATE",), ("ZLIKES",)), "compound": (("ZDATE",), ("ZLIKES", "ZDATE"))}


def b1():
    with open_store("baseline-photos-10000-none.db").connect() as connection:
        names = [attribute.key for attribute in Photo.__mapper__.column_attrs]
        columns = [Photo.__mapper__.column_attrs[name].columns[0] for name in names]
        rows = [dict(zip(names, values)) for values in connection.execute(select(*columns))]
    for indexing, indexes in INDEXINGS.items():
        engines = []

        def prepare():
            for engine in engines:
                engine.dispose()
            engines.clear()
            remove_scratch()
            engine = open_store(SCRATCH)
            Photo.__table__.create(engine)
            with engine.begin() as connection:
                for index, columns in enumerate(indexes):
                    connection.exec_driver_sql(f"CREATE INDEX PHOTO_{index} ON ZPHOTO({','.join(columns)})")
            engines.append(engine)

        def work():
            with Session(engines[0]) as session:
                session.add_all([Photo(**values) for values in rows])
                session.commit()
            return len(rows)

        measure("B1-" + indexing, work, prepare)
        engines[0].dispose()
    remove_scratch()


def b2():
    for indexing in INDEXINGS:
        session = Session(open_store(f"baseline-photos-10000-{indexing}.db"))
        photos = []

        def work():
            photos.clear()
            session.expunge_all()
            photos.extend(session.scalars(select(Photo).order_by(Photo.date)).all())
            return len(photos)

        def answer():
            order = 0
            for photo in photos:
                order = digest(order, struct.unpack("<Q", struct.pack("<d", photo.date))[0])
            return signed(order)

        measure("B2-" + indexing, work, answer=answer)
        session.close()


def c():
    engines = []

    def prepare():
        for engine in engines:
            engine.dispose()
        engines.clear()
        remove_scratch()
        engines.append(open_store(SCRATCH))
        Person.__table__.create(engines[0])

    def work():
        with Session(engines[0]) as session:
            for key in range(1, 10_001):
                session.add(Person(key=key, rating=key % 1000, name=f"item {key}"))
                session.commit()
        return 10_000

    measure("C", work, prepare)
    engines[0].dispose()
    remove_scratch()


def d():
    engine = open_store("baseline-sightings.db")
    groups = select(Sighting.shape, func.count(Sighting.shape)).group_by(Sighting.shape).order_by(Sighting.shape)

    def group():
        with Session(engine) as session:
            value = 0
            for shape, count in session.execute(groups):
                for part in (ord(shape[0]), length(shape), count):
                    value = digest(value, part)
            return signed(value)

    measure("D-group", group)
    with engine.connect() as connection:
        table = Sighting.__table__.c
        statement = select(table.Z_PK, table.ZDATE, table.ZUID, table.ZSHAPE, table.ZCITY).order_by(table.Z_PK)
        rows = [dict(zip(("key", "date", "uid", "shape", "city"), values)) for values in connection.execute(statement)]

    def import_all(engine):
        """Each batch of 1,000 is one fetch and one commit."""
        created = found = 0
        for start in range(0, len(rows), 1000):
            batch = rows[start:start + 1000]
            with Session(engine) as session:
                statement = select(Sighting).where(Sighting.uid.in_([values["uid"] for values in batch]))
                known = {sighting.uid: sighting for sighting in session.scalars(statement)}
                found += len(known)
                new = [Sighting(**values) for values in batch if values["uid"] not in known]
                session.add_all(new)
                created += len(new)
                session.commit()
        return created, found

    engines = []

    def prepare():
        for scratch in engines:
            scratch.dispose()
        engines.clear()
        remove_scratch()
        engines.append(open_store(SCRATCH))
        Sighting.__table__.create(engines[0])

    measure("D-create", lambda: import_all(engines[0])[0], prepare)
    engines[0].dispose()
    remove_scratch()
    measure("D-find", lambda: import_all(engine)[1])


def n1():
    engine = open_store("baseline-owners.db")

    def walk(*options):
        with Session(engine) as session:
            owners = session.scalars(select(Owner).options(*options)).all()
            return sum(length(member.name) for owner in owners for member in owner.members)

    measure("N1-prefetched", lambda: walk(selectinload(Owner.members)))
    measure("N1-plain", walk)


workloads = {"A1": a1, "A2": a2, "A3": a3, "A5": a5, "A6": a6, "A7": a7, "B1": b1, "B2": b2, "C": c, "D": d, "N1": n1}
if workload not in workloads:
    sys.exit(f"usage: sqlalchemy_peer.py {'|'.join(workloads)} FOLDER")
workloads[workload]()
