import Foundation

/// A source model in a target: `.xcdatamodeld` with versions, or one `.xcdatamodel`.
package struct ModelFolder {
  package let path: String

  package init(path: String) { self.path = path }

  /// The name by which containers find the model.
  package var name: String {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    return file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
  }

  package static func isModel(_ path: String) -> Bool {
    path.hasSuffix(".xcdatamodeld") || path.hasSuffix(".xcdatamodel")
  }

  /// Returns the XML file of the current version: the version that .xccurrentversion names or, without this file, the
  /// last one by name.
  package func contents() throws(SourceProblems) -> String {
    guard path.hasSuffix(".xcdatamodeld") else { return path + "/contents" }
    let marker = path + "/.xccurrentversion"
    if let data = FileManager.default.regularContents(atPath: marker) {
      guard let version = VersionMarker.version(data) else {
        throw problem(marker, "the file names no version (_XCCurrentVersionName)")
      }
      let contents = "\(path)/\(version)/contents"
      // A version in another folder would not be copied with the model.
      guard version.hasSuffix(".xcdatamodel"), !version.contains("/") else {
        throw problem(marker, "the current version is “\(version)”, which is no .xcdatamodel in the folder")
      }
      guard FileManager.default.fileExists(atPath: contents) || isOfXcode3(contents) else {
        throw problem(marker, "the current version is “\(version)”, which has no file \(contents)")
      }
      return contents
    }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    guard let last = names.filter({ $0.hasSuffix(".xcdatamodel") }).max() else {
      throw problem(path, "the folder holds no .xcdatamodel")
    }
    return "\(path)/\(last)/contents"
  }

  /// Reads the current version and checks it.
  package func read() throws(SourceProblems) -> ModelSource {
    let contents = try contents()
    guard let data = FileManager.default.regularContents(atPath: contents) else {
      throw isOfXcode3(contents)
        ? problem(Self.elements(beside: contents), binaryMessage) : problem(contents, "the file cannot be read")
    }
    let model = try ModelReader.read(data, path: contents)
    try model.check()
    return model
  }

  // MARK: Models of Xcode 3

  /// What to do with a model that only the framework can read: its reader of keyed archives is not built for a build.
  private var binaryMessage: String {
    "the model is in the binary form of Xcode 3, which builds do not read; “coredata model convert '\(path)'” writes "
      + "its XML beside it"
  }

  /// Whether a version has the binary file of Xcode 3 and no XML.
  private func isOfXcode3(_ contents: String) -> Bool {
    let files = FileManager.default
    return !files.fileExists(atPath: contents) && files.fileExists(atPath: Self.elements(beside: contents))
  }

  private static func elements(beside contents: String) -> String { contents.dropLast("contents".count) + "elements" }

  /// A warning for each version in the binary form of Xcode 3 other than the current one: it is left out of the
  /// compiled model, and stores of that version cannot be migrated from.
  package func binaryVersions() throws(SourceProblems) -> [SourceProblem] {
    guard path.hasSuffix(".xcdatamodeld") else { return [] }
    let current = try contents(), names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { $0.hasSuffix(".xcdatamodel") }.sorted().map { "\(path)/\($0)/contents" }
      .filter { $0 != current && isOfXcode3($0) }
      .map {
        SourceProblem(
          path: Self.elements(beside: $0),
          message:
            "this version is in the binary form of Xcode 3, which builds do not read, so that stores of this version "
            + "cannot be migrated; “coredata model convert '\(path)'” writes its XML beside it", isWarning: true)
      }
  }

  private func problem(_ path: String, _ message: String) -> SourceProblems {
    SourceProblems(list: [SourceProblem(path: path, message: message)])
  }
}
