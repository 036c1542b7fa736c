import Foundation

/// Xcode's mapping model in a target: `.xcmappingmodel`.
package struct MappingFolder {
  package let path: String

  package init(path: String) { self.path = path }

  /// Writes the mapping model in the form that bundles contain, `.cdm`. The framework reads the XML, and completes it
  /// from the two models.
  /// - Throws: `SourceProblems` if the folder has no XML, or XML of another kind.
  package func compile(to output: String) throws {
    let file = path + "/xcmapping.xml"
    guard let data = FileManager.default.regularContents(atPath: file) else {
      throw problem(path, "the folder holds no xcmapping.xml that can be read")
    }
    guard let text = String(validating: data, as: UTF8.self), text.contains("<database") else {
      throw problem(file, "the file is no mapping model: it has no element <database>")
    }
    try data.write(to: URL(fileURLWithPath: output), options: .atomic)
  }

  private func problem(_ path: String, _ message: String) -> SourceProblems {
    SourceProblems(list: [SourceProblem(path: path, message: message)])
  }
}
