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
  let archive: KeyedArchive

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
  func values(of object: ArchivedObject) -> StereotypeValues {
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
}
