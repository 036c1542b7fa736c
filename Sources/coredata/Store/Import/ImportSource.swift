import Foundation
import OpenCoreData

/// What is imported: a JSON document, a CSV table, or a folder with a table for each entity.
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
  }

  /// Reads everything, in the same order each time.
  func records(_ body: (ImportedRecord) throws -> Void) throws {
    if format == .json {
      var document = try JSONDocument(url)
      return try document.records(of: entity, body)
    }
    for (name, file) in try tables() {
      var document = try CSVDocument(file)
      let relationships = model.entitiesByName[name]?.relationshipsByName ?? [:]
      try document.records(of: name, isRelationship: { relationships[$0] != nil }, body)
    }
  }

  private func tables() throws -> [(entity: String, file: URL)] {
    var isFolder: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
    if !isFolder.boolValue { return entity.map { [($0, url)] } ?? [] }
    let names = try FileManager.default.contentsOfDirectory(atPath: url.path).filter { $0.hasSuffix(".csv") }.sorted()
    let tables = names.map { (String($0.dropLast(4)), url.appending(path: $0)) }
    return tables.filter { entity == nil || $0.0 == entity }
  }
}
