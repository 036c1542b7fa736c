import OpenCocoaFoundation
import Foundation

/// Finds the file that holds a model, and reads it in the form it has.
enum ModelFile {
  /// Reads a source model (.xcdatamodeld, .xcdatamodel) or a compiled one (.momd, .mom) into an empty model.
  /// - Throws: an NSError of NSCocoaErrorDomain: 260, 259 or 134020.
  static func read(_ url: URL, into model: NSManagedObjectModel) throws {
    var file = url
    do {
      file = try locate(url)
      let data = try contents(of: file)
      if data.starts(with: Data("bplist".utf8)) {
        try ModelDecoder.decode(data, into: model)
      } else {
        var reader = try SourceModelReader(root: XMLElementTree.parse(data))
        try reader.read(into: model)
      }
    } catch let problem as ModelProblem {
      throw problem.error(file: file)
    } catch let problem as ArchiveProblem {
      throw ModelProblem.unreadable(problem.reason).error(file: file)
    }
  }

  /// The file itself, or the one that a folder of a known kind means.
  private static func locate(_ url: URL) throws -> URL {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) else {
      throw ModelProblem(kind: .missing, reason: "There is no such file.")
    }
    guard isDirectory.boolValue else { return url }
    switch url.pathExtension {
    case "xcdatamodel": return try existing(url.appendingPathComponent("contents"))
    case "xcdatamodeld": return try locate(currentSourceVersion(url))
    case "momd": return try currentCompiledVersion(url)
    default: throw ModelProblem.unreadable("The folder is none of .xcdatamodeld, .xcdatamodel and .momd.")
    }
  }

  /// The version that .xccurrentversion names; without one, the last by name.
  private static func currentSourceVersion(_ url: URL) throws -> URL {
    if let named = propertyList(url.appendingPathComponent(".xccurrentversion"))?["_XCCurrentVersionName"] as? String {
      return url.appendingPathComponent(named)
    }
    let versions = try versions(in: url, withExtension: "xcdatamodel")
    guard let last = versions.last else { throw ModelProblem.unreadable("The folder holds no .xcdatamodel.") }
    return last
  }

  /// The version that VersionInfo.plist names; without one, the last by name.
  private static func currentCompiledVersion(_ url: URL) throws -> URL {
    let info = propertyList(url.appendingPathComponent("VersionInfo.plist"))
    if let named = info?["NSManagedObjectModel_CurrentVersionName"] as? String {
      return try existing(url.appendingPathComponent(named + ".mom"))
    }
    let versions = try versions(in: url, withExtension: "mom")
    guard let last = versions.last else { throw ModelProblem.unreadable("The folder holds no .mom.") }
    return last
  }

  private static func versions(in url: URL, withExtension pathExtension: String) throws -> [URL] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    return names.filter { $0.hasSuffix("." + pathExtension) }.sorted().map { url.appendingPathComponent($0) }
  }

  private static func existing(_ url: URL) throws -> URL {
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw ModelProblem(kind: .missing, reason: "There is no file “\(url.lastPathComponent)” in the folder.")
    }
    return url
  }

  private static func propertyList(_ url: URL) -> [String: Any]? {
    guard let data = try? Data(contentsOf: url) else { return nil }
    return (try? PropertyListSerialization.propertyList(from: data, format: nil)) as? [String: Any]
  }

  private static func contents(of url: URL) throws -> Data {
    do {
      return try Data(contentsOf: url)
    } catch {
      throw ModelProblem.unreadable("The file cannot be read: \(error.localizedDescription)")
    }
  }
}
