import ArgumentParser
import CommandSupport
import CoreDataTools
import Foundation
import OpenCoreData

/// `coredata store export`: writes all objects as text.
struct StoreExport: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case json, csv
  }

  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Writes the objects of a store as JSON or CSV.",
    discussion: """
      JSON is one document with a list for each entity: {"Entity": [{"@id", "attributes", "relationships"}]}. CSV is a \
      table for each entity, with the relationships as columns; members of to-many ones are separated by spaces. \
      Objects are named as in their URIs, Entity/p1. Dates are ISO 8601 in UTC with all their digits, bytes base 64, \
      decimal numbers text; a transformable attribute is written as the bytes that its transformer made.
      """)

  @OptionGroup var input: StoreInput

  @Option(help: "This entity alone, with those that inherit from it.")
  var entity: String?

  @Option(help: "json or csv.")
  var format = Format.json

  @Option(help: "A file for JSON, a folder for CSV, in place of standard output.")
  var output: String?

  @Flag(help: "Replace what is there already.")
  var force = false

  func run() throws {
    try input.query { store in
      let entities = try store.concreteEntities(of: entity)
      try requirePlace(for: entities)
      if format == .csv, output == nil, entities.count != 1 {
        let choice = entity == nil ? ", or one entity with --entity" : ""
        throw ToolError(
          "CSV is a file for each entity, and these are \(entities.joined(separator: ", ")): give a folder with "
            + "--output\(choice).")
      }
      let progress = isatty(STDERR_FILENO) != 0 ? ProgressLine() : nil
      defer { progress?.clear() }
      let total = try progress == nil ? 0 : entities.map { try store.objectCount(of: $0) }.reduce(0, +)
      var done = 0
      func count() {
        done += 1
        if done % 1000 == 0 { progress?.show("Exporting", done, of: total) }
      }
      switch format {
      case .json: try writeJSON(entities, store, count)
      case .csv: try writeCSV(entities, store, count)
      }
    }
  }

  /// - Throws: a ``ToolError`` if there is something at the output's place that cannot be replaced.
  private func requirePlace(for entities: [String]) throws {
    guard let url = output.map(ModelInput.url) else { return }
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
    if exists, format == .json, isFolder.boolValue {
      throw ToolError("\(url.path) is a folder. Expected a file, which JSON is written to.")
    }
    if exists, format == .csv, !isFolder.boolValue {
      throw ToolError("\(url.path) is a file. Expected a folder, in which CSV has a file for each entity.")
    }
    let files = format == .csv ? entities.map { Self.table(of: $0, in: url) } : [url]
    let store = input.url.resolvingSymlinksInPath().path
    for file in files where FileManager.default.fileExists(atPath: file.path) {
      if file.resolvingSymlinksInPath().path == store { throw ToolError("\(file.path) is the store itself.") }
      if !force { throw ToolError("There is something at \(file.path) already. Give --force to replace it.") }
    }
  }

  private static func table(of entity: String, in folder: URL) -> URL { folder.appending(path: entity + ".csv") }

  private func writeJSON(_ entities: [String], _ store: any QueriedStore, _ count: () -> Void) throws {
    let file = try output.map { try OutputLines(ModelInput.url($0), like: input.url) } ?? OutputLines()
    try file.write("{")
    for (index, entity) in entities.enumerated() {
      try file.write("\(ValueText.json(entity)): [")
      var last: String?
      try store.objects(of: entity) { object in
        if let last { try file.write(last + ",") }
        last = ExportedObject.json(object)
        count()
      }
      if let last { try file.write(last) }
      try file.write(index + 1 < entities.count ? "]," : "]")
    }
    try file.write("}")
    try file.finish()
  }

  private func writeCSV(_ entities: [String], _ store: any QueriedStore, _ count: () -> Void) throws {
    func write(_ entity: String, to file: OutputLines) throws {
      try file.write(try ExportedObject.csvHeader(of: entity, in: store))
      try store.objects(of: entity) { object in
        try file.write(ExportedObject.csv(object))
        count()
      }
    }
    guard let place = output.map(ModelInput.url) else {
      let file = OutputLines()
      for entity in entities { try write(entity, to: file) }
      return try file.finish()
    }
    if FileManager.default.fileExists(atPath: place.path) {
      let files = UnfinishedFiles()
      for entity in entities {
        try files.add(Self.table(of: entity, in: place), like: input.url) { try write(entity, to: $0) }
      }
      return try files.finish()
    }
    // A new folder is at its place when all files are in it.
    let folder = try makeFolder(place)
    for entity in entities {
      let table = Self.table(of: entity, in: URL(fileURLWithPath: folder.path, isDirectory: true))
      let file = try OutputLines(newFileAt: table.path, for: OutputPlace(table, like: input.url))
      try write(entity, to: file)
      try file.finish()
    }
    try folder.finish()
  }

  /// Makes the folder of the tables, under another name at first.
  private func makeFolder(_ place: URL) throws -> UnfinishedOutput {
    do {
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    } catch {
      throw ToolError("The folder \(place.path) cannot be made", error)
    }
    return try UnfinishedOutput(folderAt: place.standardizedFileURL.path)
  }
}
