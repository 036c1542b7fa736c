import Foundation
import OpenCocoaFoundation
internal import VersionHashing

import class OpenCocoaFoundation.NSExpression

/// Archives a mapping model in the compiled form (`.cdm`).
struct MappingEncoder {
  private var writer = KeyedArchiveWriter()

  /// The keyed archive of a mapping model.
  /// - Throws: `ArchiveProblem` for an expression that cannot be archived, such as one with a block.
  static func encode(_ model: NSMappingModel) throws -> Data {
    var encoder = MappingEncoder()
    let root = encoder.writer.reserve()
    var mappings: [(key: String, value: PropertyListValue)] = []
    for mapping in model.entityMappings { mappings.append((mapping.name, try encoder.encode(mapping))) }
    encoder.writer.add(
      ["NSMappingModel", "NSObject"],
      [
        "NSEntityMappings": encoder.writer.add(array: mappings.map(\.value)),
        "NSEntityMappingsByName": encoder.writer.add(dictionary: mappings),
      ], as: root)
    return encoder.writer.serialized(root: root)
  }

  private mutating func encode(_ mapping: NSEntityMapping) throws -> PropertyListValue {
    let fields = [
      "NSMappingName": writer.add(text: mapping.name),
      "NSMappingType": .integer(Int64(mapping.mappingType.rawValue)),
      "NSSourceEntityName": writer.add(text: mapping.sourceEntityName),
      "NSSourceEntityVersionHash": writer.add(value: mapping.sourceEntityVersionHash),
      "NSDestinationEntityName": writer.add(text: mapping.destinationEntityName),
      "NSDestinationEntityVersionHash": writer.add(value: mapping.destinationEntityVersionHash),
      "NSSourceExpression": try encode(mapping.sourceExpression),
      "NSAttributeMappings": try encode(mapping.attributeMappings),
      "NSRelationshipMappings": try encode(mapping.relationshipMappings),
      "NSEntityMigrationPolicyClassName": writer.add(text: mapping.entityMigrationPolicyClassName),
      "NSUserInfo": encode(mapping.userInfo),
    ]
    return writer.add(["NSEntityMapping", "NSObject"], fields)
  }

  private mutating func encode(_ mappings: [NSPropertyMapping]?) throws -> PropertyListValue {
    guard let mappings else { return KeyedArchiveWriter.null }
    var encoded: [PropertyListValue] = []
    for mapping in mappings {
      let fields = [
        "NSDestinationPropertyName": writer.add(text: mapping.name),
        "NSValueExpression": try encode(mapping.valueExpression), "NSPropertyTransforms": KeyedArchiveWriter.null,
        "NSUserInfo": encode(mapping.userInfo),
      ]
      encoded.append(writer.add(["NSPropertyMapping", "NSObject"], fields))
    }
    return writer.add(array: encoded)
  }

  private mutating func encode(_ expression: NSExpression?) throws -> PropertyListValue {
    guard let expression else { return KeyedArchiveWriter.null }
    return try writer.add(archiving: expression)
  }

  private mutating func encode(_ userInfo: [AnyHashable: Any]?) -> PropertyListValue {
    guard let userInfo else { return KeyedArchiveWriter.null }
    let entries = userInfo.compactMap { key, value in (key.base as? String).map { ($0, value) } }
    return writer.add(
      dictionary: entries.sorted { precedesByBytes($0.0, $1.0) }.map { ($0.0, writer.add(archivingValue: $0.1)) })
  }
}
