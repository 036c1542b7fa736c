import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

@Suite("The schema of a store")
struct SchemaTests {
  /// The model of a published sample store, whose tables and indexes Apple's framework made.
  static func books() -> NSManagedObjectModel {
    let author = relationship("author")
    let books = relationship("books", toMany: true, ordered: false)
    let pages = relationship("pages", toMany: true)
    let book = relationship("book")
    let novel = entity("GraphicNovel", [attribute("isBlackAndWhite", .booleanAttributeType)])
    let bookEntity = entity(
      "Book",
      [
        attribute("cover", .binaryDataAttributeType), attribute("title", .stringAttributeType),
        attribute("uniqueID", .UUIDAttributeType), attribute("price", .decimalAttributeType),
        attribute("publishedAt", .dateAttributeType), attribute("pagesCount", .integer32AttributeType), author, pages,
      ], subentities: [novel])
    bookEntity.uniquenessConstraints = [["uniqueID"]]
    let page = entity(
      "Page",
      [
        attribute("content", .transformableAttributeType), attribute("number", .integer32AttributeType),
        attribute("isBookmarked", .booleanAttributeType), book,
      ])
    let authorEntity = entity(
      "Author", [attribute("alias", .stringAttributeType), attribute("siteURL", .URIAttributeType), books])
    authorEntity.uniquenessConstraints = [["alias"]]
    let writer = entity("Writer", [attribute("age", .integer16AttributeType)], subentities: [authorEntity])
    connect(author, books)
    connect(pages, book)
    let feedback = entity(
      "Feedback",
      [
        attribute("rating", .doubleAttributeType), attribute("authorAlias", .stringAttributeType),
        attribute("comment", .stringAttributeType), attribute("bookID", .UUIDAttributeType),
      ])
    return makeModel([writer, page, bookEntity, feedback])
  }

  @Test("Entity tables and indexes are those of Apple's file")
  func inheritance() {
    let model = SQLModel(model: Self.books())
    #expect(model.entities.map(\.name) == ["Book", "GraphicNovel", "Feedback", "Page", "Writer", "Author"])
    #expect(
      DDL.statements(for: model) == [
        "CREATE TABLE ZBOOK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZPAGESCOUNT INTEGER, "
          + "ZAUTHOR INTEGER, ZISBLACKANDWHITE INTEGER, ZPUBLISHEDAT TIMESTAMP, ZPRICE DECIMAL, ZTITLE VARCHAR, "
          + "ZUNIQUEID BLOB, ZCOVER BLOB )",
        "CREATE TABLE ZFEEDBACK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZRATING FLOAT, "
          + "ZAUTHORALIAS VARCHAR, ZCOMMENT VARCHAR, ZBOOKID BLOB )",
        "CREATE TABLE ZPAGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISBOOKMARKED INTEGER, "
          + "ZNUMBER INTEGER, ZBOOK INTEGER, Z1_BOOK INTEGER, ZCONTENT BLOB )",
        "CREATE TABLE ZWRITER ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAGE INTEGER, "
          + "ZALIAS VARCHAR, ZSITEURL VARCHAR )",
        "CREATE INDEX ZBOOK_ZAUTHOR_INDEX ON ZBOOK (ZAUTHOR)",
        "CREATE INDEX ZBOOK_Z_ENT_INDEX ON ZBOOK (Z_ENT)",
        "CREATE UNIQUE INDEX Z_Book_UNIQUE_uniqueID ON ZBOOK (ZUNIQUEID COLLATE BINARY ASC)",
        "CREATE INDEX ZPAGE_ZBOOK_INDEX ON ZPAGE (ZBOOK)",
        "CREATE INDEX ZWRITER_Z_ENT_INDEX ON ZWRITER (Z_ENT)",
        "CREATE UNIQUE INDEX Z_Author_UNIQUE_alias ON ZWRITER (ZALIAS COLLATE BINARY ASC)",
        "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
        "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
        "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
      ])
    #expect(DDL.primaryKeyRows(of: model).map(\.superentity) == [0, 1, 0, 0, 0, 5])
  }

  @Test("A relationship between two entities with many on both sides has a table named from the lower number")
  func manyToMany() throws {
    let task = relationship("task", toMany: true)
    let notes = relationship("notes", toMany: true)
    let source = entity("Note", [task])
    let target = entity("Task", [notes])
    connect(task, notes)
    let model = SQLModel(model: makeModel([target, source]))
    #expect(
      DDL.tables(of: model)[1]
        == "CREATE TABLE Z_1TASK ( Z_1NOTES INTEGER, Z_2TASK INTEGER, PRIMARY KEY (Z_1NOTES, Z_2TASK) )")
    #expect(DDL.indexes(of: model) == ["CREATE INDEX Z_1TASK_Z_2TASK_INDEX ON Z_1TASK (Z_2TASK, Z_1NOTES)"])
    guard case .toMany(let toMany)? = model.entity(named: "Task")?.property(named: "notes"),
      case .join(let table, let source, let destination, nil, nil) = toMany.storage
    else {
      Issue.record("no join table")
      return
    }
    #expect([table, source, destination] == ["Z_1TASK", "Z_2TASK", "Z_1NOTES"])
  }

  /// Folders of bookmarks in their order, and favourites: many on both sides, one of them ordered.
  static func bookmarks() -> NSManagedObjectModel {
    let children = relationship("children", toMany: true, ordered: true)
    let parent = relationship("parent")
    let favorites = relationship("favorites", toMany: true, ordered: true)
    let folders = relationship("favoriteFolders", toMany: true)
    let uuid = attribute("uuid", .stringAttributeType)
    let bookmark = entity(
      "BookmarkEntity",
      [
        uuid, attribute("title", .stringAttributeType), attribute("isFolder", .booleanAttributeType),
        attribute("isPendingDeletion", .booleanAttributeType), children, parent, favorites, folders,
      ])
    connect(children, parent)
    connect(favorites, folders)
    bookmark.indexes = [
      NSFetchIndexDescription(
        name: "byUUID", elements: [NSFetchIndexElementDescription(property: uuid, collationType: .binary)])
    ]
    return makeModel([bookmark])
  }

  @Test("Ordered relationships have order columns")
  func ordered() throws {
    let model = SQLModel(model: Self.bookmarks())
    #expect(
      DDL.tables(of: model) == [
        "CREATE TABLE ZBOOKMARKENTITY ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISFOLDER INTEGER, "
          + "ZISPENDINGDELETION INTEGER, ZPARENT INTEGER, Z_FOK_PARENT INTEGER, ZTITLE VARCHAR, ZUUID VARCHAR )",
        "CREATE TABLE Z_1FAVORITES ( Z_1FAVORITEFOLDERS INTEGER, Z_1FAVORITES INTEGER, Z_FOK_1FAVORITES INTEGER, "
          + "PRIMARY KEY (Z_1FAVORITEFOLDERS, Z_1FAVORITES) )",
      ])
    #expect(
      DDL.indexes(of: model) == [
        "CREATE INDEX ZBOOKMARKENTITY_ZPARENT_INDEX ON ZBOOKMARKENTITY (ZPARENT)",
        "CREATE INDEX Z_1FAVORITES_Z_1FAVORITES_INDEX ON Z_1FAVORITES (Z_1FAVORITES, Z_1FAVORITEFOLDERS)",
        "CREATE INDEX Z_BookmarkEntity_byUUID ON ZBOOKMARKENTITY (ZUUID COLLATE BINARY ASC)",
      ])
    let children = try #require(model.entities[0].toManys["children"])
    guard case .foreignKey("ZBOOKMARKENTITY", "ZPARENT", nil, "Z_FOK_PARENT") = children.storage else {
      Issue.record("\(children.storage)")
      return
    }
  }

  @Test("A table that the file has decides which side names it")
  func existingTable() throws {
    let existing = ["Z_1FAVORITEFOLDERS": ["Z_1FAVORITES", "Z_1FAVORITEFOLDERS", "Z_FOK_1FAVORITES"]]
    let model = SQLModel(entities: Self.bookmarks().entities, dialect: SQLiteDialect()) { existing[$0] }
    guard
      case .join("Z_1FAVORITEFOLDERS", "Z_1FAVORITEFOLDERS", "Z_1FAVORITES", "Z_FOK_1FAVORITES", nil)? =
        model.entities[0].toManys["favorites"]?.storage
    else {
      Issue.record("\(model.entities[0].toManys)")
      return
    }
  }

  @Test("Equal column names get a digit, and rows of a hierarchy are read with one list of columns")
  func rowLayout() throws {
    let first = entity("A", [attribute("text", .stringAttributeType), attribute("n", .integer16AttributeType)])
    let second = entity("B", [attribute("text", .stringAttributeType)])
    let root = entity("Root", [attribute("id", .UUIDAttributeType)], subentities: [second, first])
    let model = SQLModel(model: makeModel([root]))
    let entities = model.entities
    #expect(entities.map(\.name) == ["Root", "A", "B"])
    #expect(entities[0].rowLayout.columnNames == ["ZID", "ZN", "ZTEXT", "ZTEXT1"])
    #expect(entities[0].rowLayout.positions == [1: [0], 2: [0, 1, 2], 3: [0, 3]])
    #expect(entities[2].rowLayout.columnNames == ["ZID", "ZTEXT1"])
    #expect(entities[2].needsEntityFilter(includingSubentities: true))
    #expect(!entities[0].needsEntityFilter(includingSubentities: true))
  }
}
