import CommandSupport
import Foundation
@_spi(Store) import OpenCoreData

/// The versions of a model, in the order of their names, so that the oldest usually comes first.
package struct ModelVersions {
  package struct Version {
    package let name: String
    package let url: URL
    package let model: NSManagedObjectModel
  }

  package let url: URL
  private(set) var versions: [Version] = []
  /// The current version, or the only version of a file that has no others.
  package let current: Version
  /// The files that could not be read, with the reasons.
  private(set) var unreadable: [String] = []

  /// Reads all versions in a folder of versions. If one version in such a folder is given, the others are read, too.
  /// - Throws: a ``ToolError`` if the current version, or the version that is given, cannot be read.
  package init(_ given: URL) throws {
    url = given
    guard !ModelInput.isStore(given) else {
      current = Version(name: given.lastPathComponent, url: given, model: try ModelInput(given).model)
      versions = [current]
      return
    }
    let folder = given.deletingLastPathComponent()
    let isMember = ["xcdatamodeld", "momd"].contains(folder.pathExtension)
    let files: [URL]
    do {
      files = try OpenCoreData.ModelFile.versions(of: given)
    } catch { throw ToolError(StoreErrors.text(of: error)) }
    // The current version comes first.
    let wanted = files.first ?? given
    current = Version(name: Self.name(wanted), url: wanted, model: try ModelInput(wanted).model)
    let others = isMember ? (try? OpenCoreData.ModelFile.versions(of: folder)) ?? [] : files
    var found: [Version] = [current]
    for file in others where file.lastPathComponent != wanted.lastPathComponent {
      do {
        found.append(Version(name: Self.name(file), url: file, model: try ModelInput(file).model))
      } catch {
        unreadable.append("\(error)")
      }
    }
    // Names are compared by the numbers in them: v10 comes after v9, and “Model” before “Model 2”.
    versions = found.sorted { $0.name.compare($1.name, options: [.numeric, .caseInsensitive]) == .orderedAscending }
  }

  /// Returns the version with a name, which may include the extension.
  /// - Throws: a ``ToolError`` with the names of all versions, if no version has the name.
  package func version(named name: String) throws -> Version {
    if let found = versions.first(where: { $0.name == name || $0.url.lastPathComponent == name }) { return found }
    let known = versions.map(\.name).joined(separator: ", ")
    let hint = unreadable.isEmpty ? "" : " \(unreadable.joined(separator: " "))"
    throw ToolError("The model \(url.path) has no version “\(name)”. It has \(known).\(hint)")
  }

  private static func name(_ url: URL) -> String {
    let named = url.lastPathComponent == "contents" ? url.deletingLastPathComponent() : url
    return named.deletingPathExtension().lastPathComponent
  }
}
