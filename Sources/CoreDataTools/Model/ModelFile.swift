import CommandSupport
import Foundation
import OpenCoreData

/// A model in a file: a source model, a compiled one, or the copy that a store keeps, with all its versions.
public struct ModelFile {
  /// A version of a model.
  public struct Version {
    /// The model's name, without an extension; for a model in a store, the name of the store's file.
    public let name: String
    /// The model's file.
    public let url: URL
    /// The form of the file.
    public let form: ModelForm
    /// The model in the file.
    public let model: NSManagedObjectModel

    /// The contents of the version as plain values.
    public var summary: ModelSummary { ModelSummary(model, file: url.path, form: form) }
  }

  /// The file or folder.
  public let url: URL
  /// The versions, in the order of their names. For one version in a folder of versions, these are all versions in the
  /// folder; for any other single file, these are only the model in the file.
  public let versions: [Version]
  /// The current version, or the one whose file was given.
  public let current: Version
  /// The reasons why some versions cannot be read, in words.
  public let unreadable: [String]

  /// Reads a .xcdatamodeld, .xcdatamodel, contents file, .momd, .mom, or the copy in a SQLite store.
  /// - Throws: a `ToolError` if the current version, or the one that is given, cannot be read.
  public init(_ url: URL) throws {
    let found = try ModelVersions(url)
    self.url = found.url
    versions = found.versions.map(Version.init)
    current = Version(found.current)
    unreadable = found.unreadable
  }

  /// Returns the version of a name.
  /// - Throws: a `ToolError` that lists the known names if there is no such version.
  public func version(named name: String) throws -> Version {
    if let found = versions.first(where: { $0.name == name }) { return found }
    let known = versions.map(\.name).joined(separator: ", ")
    throw ToolError("The model \(url.path) has no version “\(name)”. It has \(known).")
  }

  /// Returns the changes between two versions, and whether a lightweight migration is possible.
  public static func difference(from source: Version, to destination: Version) -> ModelDiffReport {
    ModelDiffReport(
      from: source.model, to: destination.model, source: source.url.path, destination: destination.url.path)
  }

  /// Returns the version hash of each entity, and the model's digest and checksum.
  /// - Throws: a `ToolError` if the file cannot be read any more.
  public static func hashes(of version: Version) throws -> ModelHashReport { try ModelHashReport(version.url.path) }
}

extension ModelFile.Version {
  init(_ version: ModelVersions.Version) {
    (name, url, model) = (version.name, version.url, version.model)
    form = ModelInput.form(of: version.url)
  }
}
