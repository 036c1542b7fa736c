import Foundation
import OpenCocoaFoundation

/// Finds the file that holds a mapping model, and reads it in the form it has.
enum MappingFile {
  /// The contents of a mapping model's file.
  enum Contents {
    case compiled([NSEntityMapping])
    case source(SourceMapping)
  }

  /// - Throws: an NSError of NSCocoaErrorDomain: 260, 256 if the system refuses to read the file, 259 or 134020.
  static func read(_ url: URL) throws -> Contents {
    do {
      let data = try data(of: url)
      return data.starts(with: Data("bplist".utf8))
        ? .compiled(try MappingDecoder.decode(data)) : .source(try SourceMappingReader.read(data))
    } catch let problem as ModelProblem {
      throw problem.error(file: url, of: "mapping model")
    } catch let problem as ArchiveProblem {
      throw ModelProblem.unreadable(problem.reason).error(file: url, of: "mapping model")
    }
  }

  /// Returns the entity mappings of a file for two models. If a model is not given, it is searched where a source file
  /// says.
  ///
  /// - Throws: as `read(_:)`; 260 for a model that is not found; 134140 for a compiled mapping model of other models.
  static func entityMappings(
    _ url: URL, from source: NSManagedObjectModel?, to destination: NSManagedObjectModel?
  ) throws -> [NSEntityMapping] {
    switch try read(url) {
    case .compiled(let mappings):
      guard let source, let destination else { return mappings }
      if let problem = MappingFit.problem(mappings, source, destination) {
        throw NSError(
          coreData: NSMigrationMissingMappingModelError,
          "The mapping model at \(url.path) is not one for these models. \(problem)", [NSFilePathErrorKey: url.path])
      }
      return mappings
    case .source(let mapping):
      let from = try source ?? model(mapping.sourceModelPath, "source", url)
      let to = try destination ?? model(mapping.destinationModelPath, "destination", url)
      do {
        return try mapping.entityMappings(from: from, to: to)
      } catch let problem as ModelProblem {
        throw problem.error(file: url, of: "mapping model")
      }
    }
  }

  private static func model(_ path: String?, _ side: String, _ url: URL) throws -> NSManagedObjectModel {
    if let model = SourceMapping.model(at: path, near: url) { return model }
    throw ModelProblem(
      kind: .missing, reason: "Its \(side) model, “\(path ?? "")”, is not there."
    ).error(file: url, of: "mapping model")
  }

  private static func data(of url: URL) throws -> Data {
    var file = url
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
      throw ModelProblem(kind: .missing, reason: "There is no such file.")
    }
    if isFolder.boolValue {
      file = url.appendingPathComponent("xcmapping.xml")
      guard FileManager.default.fileExists(atPath: file.path) else {
        throw ModelProblem.unreadable("There is no xcmapping.xml in the folder.")
      }
    }
    do {
      return try RegularFile.contents(file)
    } catch {
      throw ModelProblem(kind: .unreachable, reason: "The file cannot be read: \(error.localizedDescription)")
    }
  }
}
