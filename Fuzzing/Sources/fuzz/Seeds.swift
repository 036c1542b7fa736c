import CoreData
import Foundation
@testable import OpenCocoaFoundation
@testable import OpenCoreData

import class OpenCocoaFoundation.NSExpression

/// Small inputs to begin with: the fixtures of the tests, what is made of them, and a folder of samples where there is one.
struct Seeds {
  let folder: String
  /// A folder with `predicate-formats.tsv`, models and compiled models; nil for none.
  let corpus: String?
  private static let largest = 16_384

  private static let formats = [
    "a == 1", "name CONTAINS[cd] 'x' AND NOT (age < 3.5e2 OR b != nil)", "ANY a.b > 1", "ALL c.d BEGINSWITH 'q'",
    "NONE e IN {1, 'two', TRUE, NULL}", "x BETWEEN {1, 2}", "SUBQUERY(a, $x, $x.b == 1).@count > 0",
    "a MATCHES '(a|b)+'", "a LIKE[c] '*?x'", "TRUEPREDICATE OR FALSEPREDICATE", "SELF == $VAR", "a.@max.b == c.@sum.d",
    "CAST(1, 'NSDate') < now()", "TERNARY(a == 1, 2, 3) == a + 1 - 2 * 3 / 4 ** 5", "a[FIRST] == b[SIZE] OR c[0] == 1",
    "FUNCTION(a, 'b:', 1) == sum({1, 2})", "a UNION b == c INTERSECT d MINUS e", "'\\u00e9\\n' == \"x\" && 0x1F == -1",
    "average:({1, 2.5}) == median({3})", "modulus:by:(a, 2) == 0", "FETCH(a, 1) == 2", "%K == 1",
  ]
  private static let plists = [
    "<?xml version=\"1.0\"?><!DOCTYPE plist><plist version=\"1.0\"><dict><key>a</key><array><string>x</string>"
      + "<integer>-5</integer><real>1e5</real><true/><date>2026-01-01T00:00:00Z</date><data>AAEC</data><dict/></array>"
      + "</dict></plist>",
    "<database><databaseInfo><version>134481920</version><UUID>7B1C7A1E-53C5-4E12-9AC5-0C0E1F1F2B3C</UUID>"
      + "<nextObjectID>102</nextObjectID><metadata><plist version=\"1.0\"><dict><key>k</key><integer>1</integer></dict>"
      + "</plist></metadata></databaseInfo><object type=\"A\" id=\"z101\"/></database>",
  ]

  func write() throws {
    let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../").standardizedFileURL
    var files = regularFiles(root.appendingPathComponent("Tests/OpenCoreDataTests/Fixtures"))
    var formats = Self.formats
    if let corpus {
      let folder = URL(fileURLWithPath: corpus)
      files += regularFiles(folder.appendingPathComponent("models"))
      files += regularFiles(folder.appendingPathComponent("compiled-models"))
      let lines =
        (try? String(contentsOf: folder.appendingPathComponent("predicate-formats.tsv"), encoding: .utf8)) ?? ""
      formats += lines.split(separator: "\n").dropFirst().compactMap {
        $0.split(separator: "\t").first.map(String.init)
      }
    }
    for format in formats {
      try add(Data(format.utf8), to: .predicates)
      try addArchives(of: format)
    }
    for text in Self.plists { try add(Data(text.utf8), to: .propertyLists) }
    try addValues()
    for file in files { try add(file) }
  }

  private func regularFiles(_ folder: URL) -> [URL] {
    let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return (found?.allObjects as? [URL] ?? []).sorted { $0.path < $1.path }
  }

  private func add(_ file: URL) throws {
    guard let data = try? Data(contentsOf: file) else { return }
    switch (file.pathExtension, file.lastPathComponent) {
    case ("mom", _), ("cdm", _): try add(data, to: .compiledModels)
    case ("plist", _), (_, ".xccurrentversion"): try add(data, to: .propertyLists)
    case (_, "xcmapping.xml"): try add(data, to: .models)
    case (_, "contents"):
      try add(data, to: .models)
      guard let model = try? NSManagedObjectModel(validatingContentsOf: file, module: "App") else { return }
      if let compiled = try? ModelEncoder.encode(model, as: .compiled) { try add(compiled, to: .compiledModels) }
      if let cache = try? ModelCache.encode(model) { try add(cache, to: .compiledModels) }
    default: break
    }
  }

  private func addArchives(of format: String) throws {
    // Formats with conversions have no values here.
    guard let predicate = try? NSPredicate(parsing: format) else { return }
    let archive = try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: true)
    try add(archive, to: .archives)
  }

  private func addValues() throws {
    let values: [Any] = [
      ["a": [1, 2.5, true], "b": Date(timeIntervalSinceReferenceDate: 5), "c": Data([1, 2, 3])], Set(["x", "y"]),
      [UUID(), NSNull(), NSDecimalNumber(string: "1.5")], URL(fileURLWithPath: "/tmp/x"), IndexSet([1, 5, 6]),
      NSOrderedSet(array: [1, 2]), NSSortDescriptor(key: "a", ascending: true), NSExpression(forKeyPath: "a.b"),
    ]
    for value in values {
      guard let archive = try? KeyedArchiveWriter.archive(value, requiringSecureCoding: true) else { continue }
      try add(archive, to: .archives)
    }
    let list: [String: Any] = [
      "a": [1, "x", Data([1])], "b": ["c": Date(timeIntervalSinceReferenceDate: 1), "d": 1.5],
    ]
    let binary = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    try add(binary, to: .propertyLists)
    let store: [String: PropertyListValue] = [
      "Format": .string("OpenCoreData"), "FormatVersion": .integer(1), "LastObjectID": .integer(101),
      "UUID": .string("7B1C7A1E-53C5-4E12-9AC5-0C0E1F1F2B3C"), "Metadata": .data(binary), "Entities": .array([]),
    ]
    try add(BinaryPropertyListWriter.write(.dictionary(store)), to: .propertyLists)
  }

  private func add(_ data: Data, to target: FuzzTarget) throws {
    guard data.count <= Self.largest else { return }
    let folder = URL(fileURLWithPath: folder).appendingPathComponent(target.rawValue)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in data { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    try data.write(to: folder.appendingPathComponent("seed-" + String(hash, radix: 16)))
  }
}
