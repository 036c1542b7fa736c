import CommandSupport
import CoreDataTools
import Foundation
import OpenCoreData

/// The source of an import: a JSON document, a CSV table, or a folder with a table for each entity.
struct ImportSource {
  private let url: URL
  private let format: StoreExport.Format
  private let entity: String?
  private let model: NSManagedObjectModel

  init(_ path: String, format: StoreExport.Format?, entity: String?, model: NSManagedObjectModel) throws {
    url = ModelInput.url(path)
    self.entity = entity
    self.model = model
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
      throw ToolError("There is no file at \(url.path). Expected JSON or CSV to import.")
    }
    self.format = format ?? (isFolder.boolValue || url.pathExtension.lowercased() == "csv" ? .csv : .json)
    if self.format == .csv, !isFolder.boolValue, entity == nil {
      throw ToolError("A CSV file needs --entity, which says what its rows are.")
    }
    if let entity { _ = try model.importedEntity(entity, at: "--entity") }
  }

  /// Calls `body` with all objects, in the same order each time.
  /// - Parameter needs: What of the objects is read; the rest is passed over.
  func records(needs: ImportedParts = .all, _ body: (ImportedRecord) throws -> Void) throws {
    if format == .json {
      var document = try JSONDocument(url, needs: needs)
      return try document.records(of: entity, willRead: { _ = try model.importedEntity($0, at: $1) }, body)
    }
    for (name, file) in try tables() {
      var document = try CSVDocument(file, needs: needs)
      let relationships = try model.importedEntity(name, at: file.lastPathComponent).relationshipsByName
      try document.records(of: name, isRelationship: { relationships[$0] != nil }, body)
    }
  }

  private func tables() throws -> [(entity: String, file: URL)] {
    var isFolder: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
    if !isFolder.boolValue { return entity.map { [($0, url)] } ?? [] }
    let names = try FileManager.default.contentsOfDirectory(atPath: url.path).filter { $0.hasSuffix(".csv") }.sorted()
    let tables = names.map { (String($0.dropLast(4)), url.appending(path: $0)) }
    if tables.isEmpty { throw ToolError("There is no CSV file in \(url.path). Expected one named after its entity.") }
    guard let entity else { return tables }
    let wanted = tables.filter { $0.0 == entity }
    if wanted.isEmpty { throw ToolError("There is no \(entity).csv in \(url.path).") }
    return wanted
  }
}

extension NSManagedObjectModel {
  /// Returns the entity that a document names.
  /// - Throws: a ``ToolError`` with the place and the known names if there is no such entity.
  func importedEntity(_ name: String, at place: @autoclosure () -> String) throws -> NSEntityDescription {
    if let entity = entitiesByName[name] { return entity }
    let known = entities.compactMap(\.name).sorted().joined(separator: ", ")
    throw ToolError("\(place()): there is no entity “\(name)”. Expected one of \(known).")
  }

  /// Returns the entity of a record.
  /// - Throws: a ``ToolError`` if there is no such entity, or if it can have no objects.
  func concreteEntity(_ record: ImportedRecord) throws -> NSEntityDescription {
    let entity = try importedEntity(record.entity, at: "\(record.place)")
    if entity.isAbstract { throw ToolError("\(record.place): the entity \(record.entity) is abstract.") }
    return entity
  }
}
