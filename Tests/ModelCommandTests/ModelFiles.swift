import CoreData
import Foundation

/// Model files in a folder of their own, removed with this object.
final class ModelFiles {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "ModelCommandTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appending(path: name).path }

  /// Writes a source model and gives its path.
  func model(named name: String = "Model", _ entities: String) throws -> String {
    let model = folder.appending(path: name + ".xcdatamodel")
    try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
    try Data("<model>\(entities)</model>".utf8).write(to: model.appending(path: "contents"))
    return model.path
  }

  /// Puts models that were written before into a folder of versions.
  func versions(_ name: String, _ models: [String]) throws -> String {
    let folder = self.folder.appending(path: name + ".xcdatamodeld")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for model in models {
      let url = URL(fileURLWithPath: model)
      try FileManager.default.copyItem(at: url, to: folder.appending(path: url.lastPathComponent))
    }
    return folder.path
  }

  /// Makes an empty store of a model.
  func store(of model: String) throws -> String {
    let url = folder.appending(path: "store.sqlite")
    let coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: try NSManagedObjectModel(validatingContentsOf: URL(fileURLWithPath: model)))
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
    try coordinator.remove(store)
    return url.path
  }

  /// Albums have ordered tracks; a live album is an album.
  static let music = """
    <entity name="Album" representedClassName="Album" isAbstract="YES">
      <attribute name="title" attributeType="String" minValueString="1" defaultValueString="Untitled"/>
      <attribute name="year" optional="YES" attributeType="Integer 16" usesScalarValueType="YES"/>
      <relationship name="tracks" optional="YES" toMany="YES" ordered="YES" deletionRule="Cascade"
        destinationEntity="Track" inverseName="album" inverseEntity="Track"/>
      <fetchIndex name="byYear"><fetchIndexElement property="year" type="Binary" order="descending"/></fetchIndex>
      <uniquenessConstraints>
        <uniquenessConstraint><constraint value="title"/><constraint value="year"/></uniquenessConstraint>
      </uniquenessConstraints>
    </entity>
    <entity name="Live" representedClassName=".Live" parentEntity="Album">
      <attribute name="place" optional="YES" attributeType="String" elementID="town"/>
    </entity>
    <entity name="Track" representedClassName="Track">
      <attribute name="artwork" optional="YES" attributeType="Transformable" customClassName="NSArray"
        valueTransformerName="NSSecureUnarchiveFromData"/>
      <relationship name="album" maxCount="1" destinationEntity="Album" deletionRule="Nullify"
        inverseName="tracks" inverseEntity="Album"/>
      <fetchedProperty name="same"><fetchRequest name="same" entity="Track" predicateString="album == $FETCH_SOURCE.album"/></fetchedProperty>
    </entity>
    <fetchRequest name="recent" entity="Album" predicateString="year &gt; $YEAR" fetchLimit="5"/>
    <configuration name="Cloud"><memberEntity name="Track"/></configuration>
    """
}
