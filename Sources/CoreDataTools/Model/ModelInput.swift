import CommandSupport
import Foundation
import OpenCoreData

/// The forms of a model's file.
public enum ModelForm: String, Encodable, Sendable {
  /// The form that Xcode edits: a contents file, with or without its folders.
  case source
  /// The form that applications contain: .momd or .mom.
  case compiled
  /// The copy of the model in a store.
  case store
}

/// A model in any of the forms that the tool reads.
package struct ModelInput {
  package typealias Form = ModelForm

  package let url: URL
  package let form: Form
  package let model: NSManagedObjectModel
  /// The store's information about its model; nil for the other forms.
  package let store: StoredModel?

  /// The forms that the tool reads, for error messages.
  package static let expected =
    "Expected a .xcdatamodeld, a .xcdatamodel or its contents file, a .momd or .mom, or a SQLite store."

  /// Reads a model.
  /// - Throws: a ``ToolError`` that names the file and says what was expected.
  package init(_ path: String) throws { try self.init(Self.url(path)) }

  /// Reads a model.
  /// - Throws: a ``ToolError`` that names the file and says what was expected.
  package init(_ url: URL) throws {
    self.url = url
    if Self.isStore(url) {
      let store = try Self.store(url)
      guard let model = store.model else {
        throw ToolError("The store \(url.path) keeps no copy of its model; give the model's own file.")
      }
      self.store = store
      self.model = model
      form = .store
    } else {
      store = nil
      model = try Self.reading(url) { try NSManagedObjectModel(validatingContentsOf: $0) }
      form = Self.form(of: url)
    }
  }

  /// The name of the model: the name of the file, or of the folder that holds the contents.
  package var name: String {
    let named = url.lastPathComponent == "contents" ? url.deletingLastPathComponent() : url
    return named.deletingPathExtension().lastPathComponent
  }

  /// Returns the file URL of a path, or the URL of a store in a server or over a web service.
  package static func url(_ path: String) -> URL {
    let schemes = ["postgresql:", "postgres:", "http:", "https:"]
    if schemes.contains(where: path.lowercased().hasPrefix), let url = URL(string: path) { return url }
    return URL(fileURLWithPath: (path as NSString).expandingTildeInPath).standardizedFileURL
  }

  /// Returns whether a file is a store, or has the extension of a store.
  package static func isStore(_ url: URL) -> Bool {
    StoredModel.isDatabase(url) || ["sqlite", "sqlite3", "storedata"].contains(url.pathExtension.lowercased())
  }

  package static func store(_ url: URL) throws -> StoredModel { try reading(url) { try StoredModel(contentsOf: $0) } }

  /// Returns the form of a model's file.
  package static func form(of url: URL) -> ModelForm {
    isStore(url) ? .store : isCompiled(url) ? .compiled : .source
  }

  private static func isCompiled(_ url: URL) -> Bool {
    if ["mom", "momd", "omo"].contains(url.pathExtension) { return true }
    guard RegularFile.isThere(url), let handle = try? FileHandle(forReadingFrom: url) else { return false }
    defer { try? handle.close() }
    return (try? handle.read(upToCount: 6)) == Data("bplist".utf8)
  }

  private static func reading<Result>(_ url: URL, _ read: (URL) throws -> Result) throws -> Result {
    do {
      return try read(url)
    } catch {
      let cause = error as NSError
      // An error about a contradiction inside a model does not mean that the file is of the wrong kind.
      let isOtherFile = [CocoaError.Code.fileReadNoSuchFile, .fileReadCorruptFile].contains {
        $0.rawValue == cause.code
      }
      let hint = isOtherFile ? " \(expected)" : ""
      let reason = cause.localizedFailureReason ?? cause.localizedDescription
      throw ToolError(cause.localizedDescription + hint, reason: reason + hint)
    }
  }
}
