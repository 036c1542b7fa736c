import CommandSupport
import Foundation
@_spi(Store) import OpenCoreData

/// The mapping models that a migration may follow.
package final class MappingFiles {
  private let given: [URL]
  /// All files, those that were given first.
  private let candidates: [MappingCandidate]
  /// The file of each mapping model.
  private var places: [ObjectIdentifier: URL] = [:]
  /// The results of searches, by the checksums of both versions: the same two versions always give the same object.
  private var found: [String: NSMappingModel] = [:]
  private var failure: ToolError?

  /// - Parameter models: The folders of models, beside which mapping models may be, as in an application's bundle; empty to
  ///   look nowhere.
  package init(given: [URL], besides models: [URL]) {
    self.given = given
    let folders = models.map { url in
      let folder = url.deletingLastPathComponent()
      // A version lies in the folder of its model.
      return ["xcdatamodeld", "momd"].contains(folder.pathExtension) ? folder.deletingLastPathComponent() : folder
    }
    let beside = Set(folders.map(\.standardizedFileURL)).sorted { $0.path < $1.path }.flatMap { folder in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      // If a mapping model exists in both forms, the compiled one is used.
      return ["cdm", "xcmappingmodel"].flatMap { suffix in
        names.filter { $0.hasSuffix("." + suffix) }.sorted().map { folder.appending(path: $0) }
      }
    }
    candidates = (given + beside).map { MappingCandidate($0) }
  }

  /// Whether there is no mapping model that a migration may follow.
  package var isEmpty: Bool { candidates.isEmpty }

  /// Returns the mapping model from one version to another.
  package func mapping(_ source: NSManagedObjectModel, _ destination: NSManagedObjectModel) -> NSMappingModel? {
    var key = ""
    for (index, candidate) in candidates.enumerated() {
      let isGiven = index < given.count
      // Of most pairs this is known by the hashes; checksums and files take longer.
      guard mayFit(candidate, isGiven: isGiven, source, destination) else { continue }
      if key.isEmpty {
        key = "\(source.versionChecksum) \(destination.versionChecksum)"
        if let known = found[key] { return known }
      }
      var mapping: NSMappingModel?
      attempt(isGiven: isGiven) { mapping = try read(candidate.url, source, destination) }
      guard let mapping else { continue }
      found[key] = mapping
      return mapping
    }
    return nil
  }

  private func mayFit(
    _ candidate: MappingCandidate, isGiven: Bool, _ source: NSManagedObjectModel, _ destination: NSManagedObjectModel
  ) -> Bool {
    var fits = false
    attempt(isGiven: isGiven) { fits = try candidate.mayFit(source, destination) }
    return fits
  }

  /// Notes the first error of a file that was given, or that may be the right one and cannot be read.
  private func attempt(isGiven: Bool, _ work: () throws -> Void) {
    do {
      try work()
    } catch {
      let isUnreadable = (error as NSError).code == CocoaError.Code.fileReadUnknown.rawValue
      if isGiven || isUnreadable { failure = failure ?? ToolError(StoreErrors.text(of: error)) }
    }
  }

  private func read(
    _ url: URL, _ source: NSManagedObjectModel, _ destination: NSManagedObjectModel
  ) throws -> NSMappingModel? {
    let mapping = try NSMappingModel(
      fittingContentsOf: url, forSourceModel: source, destinationModel: destination)
    if let mapping { places[ObjectIdentifier(mapping)] = url }
    return mapping
  }

  package func url(of mapping: NSMappingModel) -> URL? { places[ObjectIdentifier(mapping)] }

  /// Reads the given file for two models even if the file names others, because the user has chosen the file.
  /// - Throws: the error of reading the file for these models.
  package func forced(_ source: NSManagedObjectModel, _ destination: NSManagedObjectModel) throws -> NSMappingModel? {
    guard given.count == 1, let url = given.first else { return nil }
    let mapping = try NSMappingModel(
      validatingContentsOf: url, forSourceModel: source, destinationModel: destination)
    places[ObjectIdentifier(mapping)] = url
    return mapping
  }

  /// - Throws: a ``ToolError`` if a file that was given, or may be the one needed, cannot be read.
  package func requireReadable() throws {
    if let failure { throw failure }
  }

  /// Returns the given files from which none of the mapping models was read.
  package func unused(_ mappings: [NSMappingModel]) -> [URL] {
    let used = Set(mappings.compactMap { url(of: $0) })
    return given.filter { !used.contains($0) }
  }
}
