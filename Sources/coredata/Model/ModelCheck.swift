import ArgumentParser
import CommandSupport
import CoreDataTools
import Foundation
import OpenCocoaFoundation
import OpenCoreData

/// `coredata model check`: checks whether models can be used.
struct ModelCheck: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Reads models and says what is wrong with them, or probably not meant.",
    discussion: """
      A line for each file: ok, or an error with entity and property; below it the warnings. Of a folder of versions all \
      are checked. Exits with 1 when a file is in error.
      """)

  @Argument(help: "Models and stores.")
  var files: [String]

  @Flag(help: "Do not print warnings.")
  var noWarnings = false

  func run() throws {
    let progress = files.count > 10 && isatty(STDERR_FILENO) != 0 ? ProgressLine() : nil
    var failed = 0
    var warned = 0
    for (index, file) in files.enumerated() {
      progress?.show("Checking", index + 1, of: files.count)
      let result = ModelCheckResult(file)
      progress?.clear()
      if result.error != nil { failed += 1 }
      warned += result.warnings.count
      print(result.text(withWarnings: !noWarnings))
    }
    if files.count > 1 {
      print("\n\(files.count) files: \(files.count - failed) ok, \(failed) failed; \(warned) warnings")
    }
    if failed > 0 { throw ExitCode.failure }
  }
}

/// The problems found in one file.
struct ModelCheckResult {
  let path: String
  /// The error with its place; nil if the file has none.
  private(set) var error: String?
  private(set) var warnings: [String] = []

  init(_ path: String) {
    self.path = path
    let url = ModelInput.url(path)
    do {
      if ModelInput.isStore(url) {
        let input = try ModelInput(path)
        try Self.checkLimits(of: input.model, url)
        check(input)
        return
      }
      let versions = try OpenCoreData.ModelFile.versions(of: url)
      for version in versions {
        // The error names the folder already; only one of several versions has to be named.
        let place = versions.count > 1 ? "\(version.lastPathComponent): " : ""
        do {
          let model = try ModelInput(version.path).model
          try Self.checkLimits(of: model, version)
          warnings += model.warnings.map { place + $0.text }
        } catch let error as ToolError {
          throw ToolError(error.description, reason: place + error.reason)
        }
      }
      if url.pathExtension == "momd" { compareVersionInfo(of: url) }
    } catch {
      self.error = (error as? ToolError)?.reason ?? (error as NSError).localizedDescription
    }
  }

  /// - Throws: a ``ToolError`` for a model with an entity that is too large to have objects.
  private static func checkLimits(of model: NSManagedObjectModel, _ url: URL) throws {
    do {
      try ModelLimits.check(model)
    } catch {
      let reason = (error as NSError).localizedDescription
      throw ToolError("The model at \(url.path) cannot be used. \(reason)", reason: reason)
    }
  }

  /// Compares the hashes in a store's metadata with those of the model that the store keeps.
  private mutating func check(_ input: ModelInput) {
    warnings = input.model.warnings.map(\.text)
    let computed = input.model.entityVersionHashesByName
    for (name, hash) in (input.store?.hashes ?? [:]).sorted(by: { $0.key < $1.key }) where computed[name] != hash {
      warnings.append("\(name): its hash in the metadata is not that of the model in the store")
    }
  }

  /// Compares the hashes that VersionInfo.plist states with those of the compiled versions in the folder.
  private mutating func compareVersionInfo(of folder: URL) {
    let data = (try? RegularFile.contents(folder.appending(path: "VersionInfo.plist"))) ?? Data()
    let info = try? PropertyListReader.dictionary(data)
    guard let stated = info?["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]] else {
      warnings.append("VersionInfo.plist is not there or states no hashes")
      return
    }
    for (version, hashes) in stated.sorted(by: { $0.key < $1.key }) {
      let model = NSManagedObjectModel(contentsOf: folder.appending(path: version + ".mom"))
      if let model, model.entityVersionHashesByName == hashes { continue }
      warnings.append(
        "VersionInfo.plist states other hashes for \(version)" + (model == nil ? ", which is missing" : ""))
    }
  }

  func text(withWarnings: Bool) -> String {
    if let error { return "\(path): error: \(error)" }
    if warnings.isEmpty { return "\(path): ok" }
    let heading = "\(path): ok, \(warnings.count) \(warnings.count == 1 ? "warning" : "warnings")"
    return ([heading] + (withWarnings ? warnings.map { "  warning: \($0)" } : [])).joined(separator: "\n")
  }
}
