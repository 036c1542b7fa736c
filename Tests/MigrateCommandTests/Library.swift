import CoreData
import Foundation

/// Versions of the model of a small library, and what is in a store of the first one.
enum Library {
  private static func attribute(_ name: String, _ type: String = "String", _ rest: String = "optional='YES'") -> String
  {
    "<attribute name='\(name)' attributeType='\(type)' \(rest)/>"
  }

  private static let person = """
    <entity name='Person'>
      \(attribute("name"))
      <relationship name='books' optional='YES' toMany='YES' destinationEntity='Book' inverseName='owner' inverseEntity='Book'/>
    </entity>
    """

  private static func book(_ attributes: String, _ rest: String = "") -> String {
    """
    <entity name='Book' \(rest)>
      \(attributes)
      <relationship name='owner' optional='YES' maxCount='1' destinationEntity='Person' inverseName='books' inverseEntity='Person'/>
    </entity>
    """
  }

  private static let coverAttribute = attribute(
    "cover", "Binary", "optional='YES' allowsExternalBinaryDataStorage='YES'")

  private static let (read, title) = (attribute("isRead", "Boolean", "defaultValueString='NO'"), attribute("title"))
  private static let heading = attribute("heading", "String", "optional='YES' elementID='title'")
  private static let year = attribute("year", "Integer 32")

  /// The number of pages becomes a text by way of a version without it.
  static let versions = [
    "Library": person
      + book(title + attribute("pages", "Integer 64") + attribute("year", "Integer 64") + coverAttribute),
    "Library 2": person
      + book(attribute("name", "String", "optional='YES' elementID='title'") + year + read + coverAttribute),
    "Library 10": person + book(heading + attribute("pages") + year + read + coverAttribute),
    // What no row has.
    "Library 11": person
      + book(heading + attribute("pages") + attribute("isbn", "String", "") + year + read + coverAttribute),
    "Mandatory": person + book(title + attribute("isbn", "String", "") + coverAttribute),
    "Read": person
      + book(title + attribute("pages", "Integer 64") + attribute("year", "Integer 64") + read + coverAttribute),
    "NoBooks": "<entity name='Person'>\(attribute("name"))</entity>",
    "Texts": person + book(title + attribute("pages") + attribute("year", "Integer 64") + coverAttribute),
  ]

  /// Large enough for a file of its own.
  static let cover = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

  /// Some of the versions.
  static func folder(_ names: [String], current: String) throws -> ModelFolder {
    try ModelFolder(versions.filter { names.contains($0.key) }, current: current)
  }

  /// The ordinary versions, with a store of the first one.
  static func full(_ type: String = NSSQLiteStoreType) throws -> (folder: ModelFolder, store: String) {
    let folder = try folder(["Library", "Library 2", "Library 10"], current: "Library 10")
    return (folder, try folder.make("Library", type: type, fill: fill))
  }

  /// Three books of two people, one with a cover.
  static func fill(_ context: NSManagedObjectContext) {
    let people = ["Ada", "Ben"].map { context.make("Person", ["name": $0]) }
    for number in 1...3 {
      let book = context.make(
        "Book", ["title": "Book \(number)", "pages": number * 100, "year": 2000 + number, "owner": people[number % 2]])
      if number == 2 { book.setValue(Self.cover, forKey: "cover") }
    }
  }
}
