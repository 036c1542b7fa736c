import CoreData
import Foundation
import OpenCoreData
import Testing
import ToolProcess

/// `coredata migrate` with mapping models.
@Suite struct MappingTests {
  private let folder: ModelFolder
  private let store: String

  init() throws {
    folder = try Library.folder(["Library", "Library 2", "Mandatory"], current: "Mandatory")
    store = try folder.make("Library", fill: Library.fill)
  }

  /// The ISBN is the title.
  private func mapping(_ name: String = "mappings/ToMandatory.cdm", policy: String? = nil) throws -> String {
    try folder.mapping(name, from: "Library", to: "Mandatory") { known in
      let (book, person) = (known["Book"], known["Person"])
      let title = book?.attributeMappings?.first { $0.name == "title" }
      let isbn = NSPropertyMapping()
      isbn.name = "isbn"
      isbn.valueExpression = title?.valueExpression
      let same = (book?.attributeMappings ?? []).filter { ["title", "cover"].contains($0.name) }
      book?.attributeMappings = same + [isbn]
      book?.mappingType = .customEntityMappingType
      book?.entityMigrationPolicyClassName = policy
      return [book, person].compactMap { $0 }
    }
  }

  private func migrate(_ arguments: String...) throws -> Tool {
    try Tool(["migrate", store, "--to", folder.model] + arguments)
  }

  @Test func aMappingModelIsFollowedAndVerified() throws {
    let file = try mapping(), before = try folder.contents()
    let plan = try migrate("--plan", "--mapping", file)
    #expect(plan.output.contains("“Library” -> “Mandatory”: by the mapping model \(file)\n"), "\(plan.errors)")
    #expect(
      plan.output.contains("  Book: transformed, 3 objects\n") && plan.output.contains("    isbn: $source.title\n"))
    #expect(try migrate("--rehearse", "--mapping", file).status == 0)
    #expect(try folder.contents() == before)
    let tool = try migrate("--verify", "--mapping", file)
    #expect(tool.status == 0, "\(tool.output)\(tool.errors)")
    // Three attributes and a relationship of a book, one of each of a person.
    #expect(tool.output.contains(": 16 values of 5 objects are as they must be."), "\(tool.output)")
    let books = try folder.work("Mandatory") { context in
      try context.all("Book", by: "title").map {
        [$0.value(forKey: "isbn") as? String, $0.value(forKeyPath: "owner.name") as? String]
      }
    }
    #expect(books == [["Book 1", "Ben"], ["Book 2", "Ada"], ["Book 3", "Ben"]])
    let cover = try folder.work("Mandatory") { try $0.all("Book", by: "title")[1].value(forKey: "cover") as? Data }
    #expect(cover == Library.cover)
  }

  /// A mapping model gives the objects new keys, which the tables of CloudKit's mirroring do not have.
  @Test func aMirroredStoreIsNotMadeAnewUnlessTold() throws {
    try folder.damage(
      "CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY, ZENTITYID INTEGER, ZENTITYPK INTEGER);"
        + "INSERT INTO ANSCKRECORDMETADATA VALUES (1, 1, 2)")
    let file = try mapping(), before = try folder.contents()
    let tool = try migrate("--mapping", file)
    #expect(tool.status == 1 && tool.errors.contains("CloudKit mirrors it, and its tables (ANSCK..., with 1 record)"))
    #expect(try folder.contents() == before)
    #expect(try migrate("--mapping", file, "--force").status == 0)
  }

  @Test func aMappingModelBesideTheModelIsFollowed() throws {
    let file = try mapping("models/ToMandatory.cdm")
    #expect(try migrate("--rehearse").output.contains("by the mapping model \(file)\n"))
    let tool = try migrate("--rehearse", "--infer")
    #expect(tool.status == 1 && tool.errors.contains("Book.isbn: "), "\(tool.errors)")
  }

  @Test func policiesAreOfApplications() throws {
    let file = try mapping(policy: "App.BookPolicy"), before = try folder.contents()
    for option in ["--plan", "--rehearse", "--verify"] {
      let tool = try migrate(option, "--mapping", file)
      #expect(tool.status == 1)
      #expect(
        tool.errors == "Error: The mapping model \(file) from “Library” to “Mandatory” has the migration policy "
          + "App.BookPolicy for Book. That is Swift code of an application, which this tool cannot load: migrate the "
          + "store with the application.\n")
    }
    #expect(try folder.contents() == before)
  }

  @Test func mappingModelsOfOtherVersions() throws {
    let file = try mapping()
    let tool = try migrate("--version", "Library 2", "--mapping", file)
    #expect(tool.status == 1)
    #expect(
      tool.errors.hasPrefix("Error: The mapping model \(file) does not lead from “Library” to “Library 2”: "),
      "\(tool.errors)")
    #expect(try migrate("--mapping", folder.store("None.cdm").path).errors.contains("There is no such file."))
    #expect(try migrate("--mapping", store).status == 1)
    #expect(try migrate("--mapping", file, "--infer").status == 64)
  }
}
