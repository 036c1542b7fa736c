import Foundation
import OpenCocoaFoundation

/// Finds the file that holds a model, and reads it in its format.
package enum ModelFile {
  /// Reads a source model (.xcdatamodeld, .xcdatamodel) or a compiled model (.momd, .mom) into an empty model.
  /// - Parameter module: the module that a source model is compiled for; its name qualifies the model's classes.
  /// - Throws: an NSError of NSCocoaErrorDomain: 260, 259 or 134020.
  static func read(_ url: URL, into model: NSManagedObjectModel, module: String? = nil) throws {
    var file = url
    do {
      file = try locate(url)
      let data = try contents(of: file)
      if file.lastPathComponent == "elements" {
        var reader = try SourceModelReader(root: ElementsReader.tree(of: data), module: module)
        try reader.read(into: model)
      } else if data.starts(with: Data("bplist".utf8)) {
        try ModelDecoder.decode(data, into: model)
      } else {
        var reader = try SourceModelReader(root: XMLElementTree.parse(data), module: module)
        try reader.read(into: model)
      }
    } catch let problem as ModelProblem {
      throw problem.error(file: file)
    } catch let problem as ArchiveProblem {
      throw ModelProblem.unreadable(problem.reason).error(file: file)
    }
  }

  /// Returns the file itself or, for a folder of a known kind, the model file that the folder stands for.
  private static func locate(_ url: URL) throws -> URL {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) else {
      throw ModelProblem(kind: .missing, reason: "There is no such file.")
    }
    guard isDirectory.boolValue else { return try plain(url) }
    switch url.pathExtension {
    case "xcdatamodel":
      let contents = url.appendingPathComponent("contents"), elements = url.appendingPathComponent("elements")
      if !FileManager.default.fileExists(atPath: contents.path), FileManager.default.fileExists(atPath: elements.path) {
        return elements
      }
      return try existing(contents)
    case "xcdatamodeld": return try locate(currentSourceVersion(url))
    case "momd": return try currentCompiledVersion(url)
    default: throw ModelProblem.unreadable("The folder is none of .xcdatamodeld, .xcdatamodel and .momd.")
    }
  }

  /// Returns the version that .xccurrentversion names; without that file, the last version by name.
  private static func currentSourceVersion(_ url: URL) throws -> URL {
    if let named = propertyList(url.appendingPathComponent(".xccurrentversion"))?["_XCCurrentVersionName"] as? String {
      return try existing(version(named, in: url, withExtension: "xcdatamodel"))
    }
    let versions = try versions(in: url, withExtension: "xcdatamodel")
    guard let last = versions.last else { throw ModelProblem.unreadable("The folder holds no .xcdatamodel.") }
    return last
  }

  /// Returns the versions in a folder of versions, the current version first. Any other model is its only version.
  /// - Throws: an NSError of NSCocoaErrorDomain if there is no model.
  package static func versions(of url: URL) throws -> [URL] {
    do {
      switch url.pathExtension {
      case "xcdatamodeld":
        let current = try currentSourceVersion(url)
        let others = try versions(in: url, withExtension: "xcdatamodel")
        return [current] + others.filter { $0.lastPathComponent != current.lastPathComponent }
      case "momd":
        let current = try currentCompiledVersion(url)
        let others = try versions(in: url, withExtension: "mom")
        return [current] + others.filter { $0.lastPathComponent != current.lastPathComponent }
      default: return [url.pathExtension == optimisedExtension ? try plain(url) : url]
      }
    } catch let problem as ModelProblem {
      throw problem.error(file: url)
    }
  }

  /// Returns the version that VersionInfo.plist names; without that file, the last version by name.
  private static func currentCompiledVersion(_ url: URL) throws -> URL {
    let info = propertyList(url.appendingPathComponent("VersionInfo.plist"))
    if let named = info?["NSManagedObjectModel_CurrentVersionName"] as? String {
      let file = try version(named + ".mom", in: url, withExtension: "mom")
      return try plain(isThere(file) ? file : optimised(file))
    }
    let versions = try versions(in: url, withExtension: "mom")
    if let last = versions.last { return last }
    guard let optimised = try self.versions(in: url, withExtension: optimisedExtension).last else {
      throw ModelProblem.unreadable("The folder holds no .mom.")
    }
    return try plain(optimised)
  }

  /// The extension of a compiled model in the form that Apple's framework loads faster. Xcode puts it beside the .mom of a
  /// current version; its format is not public.
  private static let optimisedExtension = "omo"

  private static func optimised(_ url: URL) -> URL {
    let file = url.deletingPathExtension().appendingPathExtension(optimisedExtension)
    return isThere(file) ? file : url
  }

  /// Returns the file itself or, for an optimised model, the .mom of the same name, which has the same model.
  private static func plain(_ url: URL) throws -> URL {
    guard url.pathExtension == optimisedExtension else { return try existing(url) }
    let plain = url.deletingPathExtension().appendingPathExtension("mom")
    if isThere(plain) { return plain }
    throw ModelProblem.unreadable(
      "“\(url.lastPathComponent)” is a compiled model that Xcode has optimised for Apple's framework, in a format that is not "
        + "public. The model can be read from “\(plain.lastPathComponent)”, which is not beside it.")
  }

  private static func isThere(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

  /// Returns the version with a name. A name that leads out of the folder, or back to it, is refused.
  private static func version(_ name: String, in url: URL, withExtension pathExtension: String) throws -> URL {
    guard name.hasSuffix("." + pathExtension), !name.contains("/") else {
      throw ModelProblem.unreadable(
        "The current version is said to be “\(name)”, which is no .\(pathExtension) in the folder.")
    }
    return url.appendingPathComponent(name)
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
    guard let data = try? RegularFile.contents(url) else { return nil }
    return try? PropertyListReader.dictionary(data)
  }

  private static func contents(of url: URL) throws -> Data {
    do {
      return try RegularFile.contents(url)
    } catch {
      throw ModelProblem.unreadable("The file cannot be read: \(error.localizedDescription)")
    }
  }
}
