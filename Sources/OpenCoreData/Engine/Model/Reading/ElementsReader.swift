import Foundation
import OpenCocoaFoundation
internal import VersionHashing

/// Reads a model in the form that Xcode wrote before version 4 (2011): a keyed archive of the modeller's own classes, in the
/// file `elements` of an `.xcdatamodel`. The result is the tree that the XML of a later version has, so that everything
/// else, checks included, is the same for both.
///
/// Entities and properties are classes and attributes as in UML. What Core Data adds is in stereotypes: lists of named
/// values.
struct ElementsReader {
  private let archive: KeyedArchive

  /// Returns the tree of a model.
  /// - Throws: `ArchiveProblem` or `ModelProblem`.
  static func tree(of data: Data) throws -> XMLElementTree {
    let archive = try KeyedArchive(data)
    guard let root = archive.object(archive.root), let package = root.object("_xd_rootPackage") else {
      throw ArchiveProblem("The archive holds no model of Xcode before 4.")
    }
    return try ElementsReader(archive: archive).model(root, package)
  }

  private func model(_ root: ArchivedObject, _ package: ArchivedObject) throws -> XMLElementTree {
    let entities = try entities(in: package).map(entity)
    let requests = self.entities(in: package).flatMap { entity in
      let requests = values(of: entity).objects("XD_PSK_fetchRequestsArray")
      return requests.compactMap { fetchRequest($0, of: entity) }
    }
    let configurations = root.entries("_configurationsByName").map { name, members in
      XMLElementTree(
        "configuration", ["name": name],
        archive.objects(members).compactMap { $0.string("_name") }.map { XMLElementTree("memberEntity", ["name": $0]) })
    }
    return XMLElementTree(
      "model", ["userDefinedModelVersionIdentifier": root.string("_modelVersionIdentifier")],
      entities + requests + configurations)
  }

  /// The entities of a package and of the packages in it, by name.
  private func entities(in package: ArchivedObject) -> [ArchivedObject] {
    var waiting = [package], seen: Set<Int> = []
    var entities: [String: ArchivedObject] = [:]
    while let next = waiting.popLast() {
      guard seen.insert(next.uid).inserted else { continue }
      for (name, value) in next.entries("XDBucketForClassesstorage") {
        if let entity = archive.object(value.uidValue), entity.className == "XDPMEntity" { entities[name] = entity }
      }
      waiting += next.entries("XDBucketForPackagesstorage").compactMap { archive.object($0.value.uidValue) }
    }
    return entities.sorted { precedesByBytes($0.key, $1.key) }.map(\.value)
  }

  /// The named values of all stereotypes of an entity or property.
  private func values(of object: ArchivedObject) -> StereotypeValues {
    let stereotypes = object.entries("XDBucketForStereotypesstorage").compactMap { archive.object($0.value.uidValue) }
    let properties = stereotypes.flatMap { $0.entries("XDBucketForOwnedAttributesstorage") }
    return StereotypeValues(
      archive: archive,
      holders: Dictionary(
        properties.compactMap { name, value in archive.object(value.uidValue).map { (name, $0) } },
        uniquingKeysWith: { first, _ in first }))
  }

  // MARK: Entities

  private func entity(_ entity: ArchivedObject) throws -> XMLElementTree {
    let values = values(of: entity)
    let properties = try entity.entries("XDBucketForOwnedAttributesstorage")
      .sorted { precedesByBytes($0.key, $1.key) }
      .compactMap { archive.object($0.value.uidValue) }.map { try property($0, of: entity) }
    let indexes = values.objects("XDPMCompoundIndexes").map { index in
      let names = archive.texts(in: index)
      return XMLElementTree("compoundIndex", [:], names.map { XMLElementTree("index", ["value": $0]) })
    }
    return XMLElementTree(
      "entity",
      [
        "name": entity.string("_name"), "representedClassName": values.text("XD_PSK_entityClassName"),
        "isAbstract": values.flag("XD_PSK_isAbstract") == "YES" || entity.bool("_isAbstract") ? "YES" : "NO",
        "parentEntity": superentity(of: entity)?.string("_name"),
        "versionHashModifier": values.text("XD_PSK_versionHashModifier"),
        "elementID": values.text("XD_PSK_elementID"),
      ], properties + [XMLElementTree("compoundIndexes", [:], indexes)] + values.userInfo("XD_PSK_userInfo"))
  }

  /// The superentity: what a generalization leads to, whatever it calls it.
  private func superentity(of entity: ArchivedObject) -> ArchivedObject? {
    for general in archive.objects(entity.fields["XDBucketForGeneralizationsstorage"]) {
      if general.className == "XDPMEntity" { return general }
      let fields = general.fields.sorted { $0.key == "_general" || $1.key != "_general" && $0.key < $1.key }
      for (name, value) in fields where name != "_owner" {
        if let other = archive.object(value.uidValue), other.className == "XDPMEntity", other.uid != entity.uid {
          return other
        }
      }
    }
    return nil
  }

  // MARK: Properties

  private func property(_ property: ArchivedObject, of entity: ArchivedObject) throws -> XMLElementTree {
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
  private func fetchRequest(_ request: ArchivedObject, of entity: ArchivedObject) -> XMLElementTree? {
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

/// The named values of stereotypes, as texts.
private struct StereotypeValues {
  let archive: KeyedArchive
  /// The objects that hold the values, by name.
  let holders: [String: ArchivedObject]

  func object(_ name: String) -> ArchivedObject? { holders[name]?.object("_default") }
  func objects(_ name: String) -> [ArchivedObject] { archive.objects(holders[name]?.fields["_default"]) }

  func text(_ name: String) -> String? {
    holders[name].flatMap { $0.string("_default") }.flatMap { $0.isEmpty ? nil : $0 }
  }

  func number(_ name: String) -> Int? {
    archive.resolve(holders[name]?.fields["_default"])?.integerValue.flatMap { Int(exactly: $0) }
  }

  func flag(_ name: String) -> String {
    let value = archive.resolve(holders[name]?.fields["_default"])
    return value?.boolValue == true || value?.integerValue == 1 || value?.stringValue == "YES" ? "YES" : "NO"
  }

  /// The entries of the user info that are texts. The modeller kept its settings for sync services there, which XML has
  /// apart.
  func userInfo(_ name: String) -> [XMLElementTree] {
    let entries = (holders[name]?.entries("_default") ?? []).filter { !$0.key.hasPrefix("com.apple.syncservices.") }
    return [
      XMLElementTree(
        "userInfo", [:],
        entries.compactMap { key, value in
          archive.string(value).map { XMLElementTree("entry", ["key": key, "value": $0]) }
        })
    ]
  }
}

extension KeyedArchive {
  /// The objects in a list.
  fileprivate func objects(_ value: PropertyListValue?) -> [ArchivedObject] {
    (object(value?.uidValue)?.fields["NS.objects"]?.arrayValue ?? []).compactMap { object($0.uidValue) }
  }

  /// The texts in a list, and the names of objects in it.
  fileprivate func texts(in list: ArchivedObject) -> [String] {
    (list.fields["NS.objects"]?.arrayValue ?? []).compactMap { string($0) ?? object($0.uidValue)?.string("_name") }
  }
}
