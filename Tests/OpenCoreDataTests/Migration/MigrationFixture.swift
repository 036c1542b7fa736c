import Foundation

@_spi(Store) @testable import OpenCoreData

/// The models and mapping models of these tests.
enum MigrationFixture {
  static let folder =
    Bundle.module.resourceURL?.appendingPathComponent("Fixtures/Migration") ?? URL(fileURLWithPath: "/")

  /// A version of the fixture's model.
  static func notes(_ version: Int) throws -> NSManagedObjectModel {
    try NSManagedObjectModel(
      validatingContentsOf: folder.appendingPathComponent("Notes.xcdatamodeld/Notes \(version).xcdatamodel"))
  }

  /// A model of the elements of a source model.
  static func model(_ entities: String) throws -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    var reader = try SourceModelReader(root: XMLElementTree.parse(Data("<model>\(entities)</model>".utf8)))
    try reader.read(into: model)
    return model
  }

  static func temporaryFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ocd-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  /// What a mapping model says, in text.
  static func text(_ mappings: [NSEntityMapping]) -> String {
    mappings.map { mapping in
      let hashes = [mapping.sourceEntityVersionHash, mapping.destinationEntityVersionHash]
        .map { $0 == nil ? "-" : "#" }.joined()
      let policy = mapping.entityMigrationPolicyClassName.map { " by \($0)" } ?? ""
      let properties = ((mapping.attributeMappings ?? []) + (mapping.relationshipMappings ?? [])).map {
        "  \($0.name ?? "?") = \($0.valueExpression?.description ?? "nil")"
      }
      let head =
        "\(mapping.name ?? "?") \(mapping.mappingType.rawValue) \(mapping.sourceEntityName ?? "-")>"
        + "\(mapping.destinationEntityName ?? "-") \(hashes)\(policy)"
      return ([head] + properties).joined(separator: "\n")
    }.joined(separator: "\n")
  }
}
