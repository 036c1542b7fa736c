import Foundation
import OpenCocoaFoundation

// Attributes, relationships, fetched properties, and fetch requests of a model of Xcode 3.
extension ElementsReader {
  func property(_ property: ArchivedObject, of entity: ArchivedObject) throws -> XMLElementTree {
    let values = values(of: property)
    var attributes: [String: String?] = [
      "name": property.string("_name"), "optional": values.flag("XD_PPSK_isOptional"),
      "transient": values.flag("XD_PPSK_isTransient"), "indexed": values.flag("XD_PPSK_isIndexed"),
      "spotlightIndexingEnabled": values.flag("XD_PPSK_isSpotlightIndexed"),
      "versionHashModifier": values.text("XD_PPSK_versionHashModifier"),
      "elementID": values.text("XD_PPSK_elementID"),
    ]
    var children = values.userInfo("XD_PPSK_userInfo")
    switch property.className {
    case "XDPMAttribute":
      attributes.merge(try attribute(values, property, of: entity)) { $1 }
      return XMLElementTree("attribute", attributes, children)
    case "XDPMRelationship":
      attributes.merge(try relationship(values, property, of: entity)) { $1 }
      return XMLElementTree("relationship", attributes, children)
    case let name where name.contains("Fetched"):
      let request = values.holders.sorted { $0.key < $1.key }.lazy
        .filter { $0.key.lowercased().hasSuffix("fetchrequest") }
        .compactMap { $0.value.object("_default") }.first
      if let tree = request.flatMap({ fetchRequest($0, of: entity) }) { children.append(tree) }
      return XMLElementTree("fetchedProperty", attributes, children)
    case let name:
      throw ModelProblem.inconsistent(
        "\(name) is no kind of property.", entity: entity.string("_name"), property: property.string("_name"))
    }
  }

  private func attribute(
    _ values: StereotypeValues, _ property: ArchivedObject, of entity: ArchivedObject
  ) throws -> [String: String?] {
    let number = values.number("XD_PAttK_attributeType") ?? 0
    guard let type = SourceModelReader.types.first(where: { $0.value.rawValue == UInt(truncatingIfNeeded: number) })
    else {
      throw ModelProblem.inconsistent(
        "\(number) is no attribute type.", entity: entity.string("_name"), property: property.string("_name"))
    }
    var attributes: [String: String?] = [
      "attributeType": type.key,
      "allowsExternalBinaryDataStorage": values.flag("XD_PAttK_allowsExternalBinaryDataStorage"),
      "valueTransformerName": values.text("XD_PAttK_valueTransformerName"),
      "regularExpressionString": values.text("XD_PAttK_regularExpressionString"),
    ]
    let limits = [
      ("XD_PAttK_defaultValueAsString", "defaultValueString", "defaultDateTimeInterval"),
      ("XD_PAttK_minValueString", "minValueString", "minDateTimeInterval"),
      ("XD_PAttK_maxValueString", "maxValueString", "maxDateTimeInterval"),
    ]
    for (key, name, dateName) in limits {
      guard let text = values.text(key) else { continue }
      if type.value == .dateAttributeType {
        attributes[dateName] = Self.interval(text)
      } else {
        attributes[name] = text
      }
    }
    return attributes
  }

  /// The seconds since 2001 of a date that is written as such seconds, or as `2008-10-06 12:00:00 -0700`; other text is
  /// returned as it is, and refused by the reader of the tree.
  private static func interval(_ text: String) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyy-MM-dd HH:mm:ss Z"
    return formatter.date(from: text).map { "\($0.timeIntervalSinceReferenceDate)" } ?? text
  }

  private func relationship(
    _ values: StereotypeValues, _ property: ArchivedObject, of entity: ArchivedObject
  ) throws -> [String: String?] {
    let rules: [Int: String] = [0: "No Action", 1: "Nullify", 2: "Cascade", 3: "Deny"]
    let number = values.number("XD_PRK_deleteRule") ?? 1
    guard let rule = rules[number] else {
      throw ModelProblem.inconsistent(
        "\(number) is no delete rule.", entity: entity.string("_name"), property: property.string("_name"))
    }
    let isToMany = values.flag("XD_PRK_isToMany") == "YES"
    let inverse = values.object("XD_PRK_inverseRelationship")
    return [
      "toMany": isToMany ? "YES" : "NO", "deletionRule": rule, "ordered": values.flag("XD_PRK_ordered"),
      "minCount": values.number("XD_PRK_minCount").map(String.init),
      "maxCount": (isToMany ? values.number("XD_PRK_maxCount") : 1).map(String.init),
      "destinationEntity": values.object("XD_PRK_destination")?.string("_name"),
      "inverseName": inverse?.string("_name"), "inverseEntity": inverse?.object("_owner")?.string("_name"),
    ]
  }

  // MARK: Fetch requests

  /// A fetch request with its name, its entity and the text of its predicate; nil for an object without a predicate and a
  /// name. No sample tells what the fields are called, so that they are known by the end of their names.
  func fetchRequest(_ request: ArchivedObject, of entity: ArchivedObject) -> XMLElementTree? {
    func text(_ end: String) -> String? {
      request.fields.sorted { $0.key < $1.key }.lazy.filter { $0.key.lowercased().hasSuffix(end) }
        .compactMap { archive.string($0.value) }.first
    }
    let target = request.fields.sorted { $0.key < $1.key }.lazy.filter { $0.key != "_owner" }
      .compactMap { archive.object($0.value.uidValue) }.first { $0.className == "XDPMEntity" }
    let predicate = text("predicatestring") ?? text("predicate")
    guard let name = text("name") ?? predicate.map({ _ in "fetchedPropertyFetchRequest" }) else { return nil }
    return XMLElementTree(
      "fetchRequest",
      [
        "name": name, "entity": target?.string("_name") ?? text("entityname") ?? entity.string("_name"),
        "predicateString": predicate,
      ], [])
  }
}
