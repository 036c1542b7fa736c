import Foundation
import Mustache

/// The templates and static files of the pages, which are installed beside the program.
struct Templates: Sendable {
  private let library: MustacheLibrary

  /// - Throws: A `StudioError` if the templates are missing, or if one of them cannot be parsed.
  init() throws {
    let folder = Self.resources.appendingPathComponent("templates")
    var templates: [String: MustacheTemplate] = [:]
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    for file in files where file.hasSuffix(".mustache") {
      let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
      do {
        templates[String(file.dropLast(9))] = try MustacheTemplate(string: text)
      } catch {
        throw StudioError(.internalServerError, "The template \(file) cannot be read", "\(error)")
      }
    }
    library = MustacheLibrary(templates: templates)
  }

  /// The folder of templates, styles and scripts.
  static var resources: URL { Bundle.module.bundleURL.appendingPathComponent("Resources") }

  /// - Throws: a `StudioError` if there is no such template.
  func text(_ name: String, _ content: Any) throws -> String {
    guard let text = library.render(content, withTemplate: name) else {
      throw StudioError(
        .internalServerError, "There is no template “\(name)”", "The studio is not installed as it was built.")
    }
    return text
  }
}
