import CommandSupport
import Foundation
@_spi(Store) import OpenCoreData

/// The way of a store to the wanted version.
package struct MigrateWay {
  /// One step, with its names for people.
  package struct Step {
    package let step: ProgressiveMigration.Step
    package let source: String
    package let destination: String
    /// The file of the mapping model; nil if the mapping is inferred.
    package let mapping: URL?

    /// Returns whether SQL carries out the step in the store itself.
    package func isInPlace(_ kind: StoreKind) -> Bool {
      if case .inferred = step.means { kind.isDatabase } else { false }
    }
  }

  package private(set) var steps: [Step] = []
  /// The store's present version.
  package let source: String
  package let destination: String
  package let destinationURL: URL
  /// The configuration that the store holds; nil for all entities.
  package let configuration: String?
  /// Notes for the reader.
  private(set) var notes: [String] = []

  /// - Throws: a ``ToolError`` if the store's model is not found, or if there is no way from it to the wanted version.
  package init(_ subject: MigrateSubject, _ wish: MigrationWish) throws {
    let versions = try ModelVersions(wish.model)
    let wanted = try wish.version.map { try versions.version(named: $0) } ?? versions.current
    destination = wanted.name
    destinationURL = wanted.url
    if let same = subject.configuration(of: wanted.model) {
      (source, configuration) = (wanted.name, same.name)
      return
    }
    let origin = try Origin(subject, versions, from: wish.source)
    (source, configuration) = (origin.version.name, origin.configuration.name)
    if let name = configuration, !wanted.model.configurations.contains(name) {
      throw ToolError(
        "The store \(subject.url.shown) holds the configuration “\(name)” of its model, and the version "
          + "“\(wanted.name)” has no such configuration.")
    }
    let files = MappingFiles(
      given: wish.mappings, besides: wish.findsMappings ? [versions.url, origin.version.url] : [])
    // A model that is none of the versions, and equal to none, has no place in their order: then no version lies between.
    let between = origin.place(in: versions.versions)
    let path = try Self.path(subject, origin, between, wanted, configuration, files)
    steps = path.map { step in
      let names = [step.source, step.destination].map { model in
        model === wanted.model ? wanted.name : between.first { $0.model === model }?.name ?? ""
      }
      let file: URL? = if case .mapping(let mapping) = step.means { files.url(of: mapping) } else { nil }
      return Step(step: step, source: names[0], destination: names[1], mapping: file)
    }
    try requirePolicies(given: wish.mappings)
    let order = versions.versions.map(\.name)
    if origin.isVersion, let old = order.firstIndex(of: source), let new = order.firstIndex(of: destination), new < old
    {
      notes.append("“\(destination)” is older than “\(source)”, as their names tell: this goes backwards.")
    }
    notes += versions.unreadable.map { "A version was left out. \($0)" }
  }

  private static func path(
    _ subject: MigrateSubject, _ origin: Origin, _ versions: [ModelVersions.Version], _ wanted: ModelVersions.Version,
    _ configuration: String?, _ files: MappingFiles
  ) throws -> [ProgressiveMigration.Step] {
    var path: [ProgressiveMigration.Step]?
    do {
      path = try ProgressiveMigration(
        from: subject.metadata, among: versions.map(\.model), to: wanted.model, source: origin.version.model,
        configuration: configuration, hasMappings: !files.isEmpty, mapping: files.mapping, risksRows: true
      ).steps
    } catch let error as NSError where error.code == NSMigrationMissingMappingModelError {
      // The error is thrown below, with the obstacles.
    }
    try files.requireReadable()
    let mappings = (path ?? []).compactMap { step in
      if case .mapping(let mapping) = step.means { mapping } else { nil }
    }
    let unused = files.unused(mappings)
    if let first = unused.first {
      let names = "from “\(origin.version.name)” to “\(wanted.name)”"
      guard mappings.isEmpty else {
        throw ToolError("The mapping model \(first.path) is for no step of the way \(names).")
      }
      // The file may be a mapping model for the whole way.
      do {
        if let mapping = try files.forced(origin.version.model, wanted.model) {
          return [.init(source: origin.version.model, destination: wanted.model, means: .mapping(mapping))]
        }
      } catch {
        throw ToolError("The mapping model \(first.path) does not lead \(names): \(StoreErrors.text(of: error))")
      }
      throw ToolError("None of the mapping models leads \(names), or to a version between.")
    }
    if let path { return path }
    throw noWay(subject, origin, versions, wanted)
  }

  /// Returns the error with the obstacles, in one step and from each version to the next.
  private static func noWay(
    _ subject: MigrateSubject, _ origin: Origin, _ versions: [ModelVersions.Version], _ wanted: ModelVersions.Version
  ) -> ToolError {
    let first = versions.firstIndex { $0.model === origin.version.model } ?? 0
    let last = versions.firstIndex { $0.model === wanted.model } ?? versions.count
    let between = first + 1 < last ? Array(versions[(first + 1)..<last]) : []
    var lines: [String] = []
    func add(_ source: ModelVersions.Version, _ destination: ModelVersions.Version) {
      let obstacles = InferredMigration(from: source.model, to: destination.model).obstacles
      guard !obstacles.isEmpty else { return }
      if !between.isEmpty { lines.append("From “\(source.name)” to “\(destination.name)”:") }
      lines += obstacles.map { "  \($0.text)" }
    }
    add(origin.version, wanted)
    if !between.isEmpty {
      for (source, destination) in zip([origin.version] + between, between + [wanted]) { add(source, destination) }
    }
    return ToolError(
      "The store \(subject.url.shown) cannot be migrated from “\(origin.version.name)” to “\(wanted.name)”. It is not "
        + "lightweight, and there is no mapping model for it; give one with --mapping.\n"
        + lines.joined(separator: "\n"))
  }

  /// - Throws: a ``ToolError`` if a step keeps no entity, and so no object: the model may be another application's.
  package func requireCommonEntities(_ subject: MigrateSubject) throws {
    for step in steps {
      guard case .inferred = step.step.means, !step.step.source.entities.isEmpty,
        !step.step.inferred.entities.contains(where: { $0.source != nil && $0.destination != nil })
      else { continue }
      throw ToolError(
        "The store \(subject.url.shown) was not migrated: no entity of “\(step.source)” is in “\(step.destination)”, and "
          + "every object would be lost. --force does it all the same.")
    }
  }

  /// After a migration by a mapping model, the rows of CloudKit's tables name no object; a lightweight migration carries them
  /// along.
  /// - Throws: a ``ToolError`` for a store that CloudKit mirrors if a step follows a mapping model.
  package func requireMirroring(_ subject: MigrateSubject) throws {
    guard let count = subject.mirroredRecords, steps.contains(where: { !$0.isInPlace(subject.kind) }) else { return }
    throw ToolError(
      "The store \(subject.url.shown) was not migrated: CloudKit mirrors it, and its tables (ANSCK..., with "
        + "\(count) \(count == 1 ? "record" : "records")) would name no object any more, since a mapping model gives the objects "
        + "new keys. --force does it all the same.")
  }

  /// - Throws: a ``ToolError`` for a mapping model that needs Swift code.
  private func requirePolicies(given: [URL]) throws {
    for step in steps {
      guard case .mapping(let mapping) = step.step.means, let url = step.mapping else { continue }
      for entity in mapping.entityMappings ?? [] {
        guard let name = entity.entityMigrationPolicyClassName, !name.isEmpty, name != "NSEntityMigrationPolicy" else {
          continue
        }
        let entityName = entity.destinationEntityName ?? entity.sourceEntityName ?? entity.name ?? ""
        throw ToolError(
          "The mapping model \(url.path) from “\(step.source)” to “\(step.destination)” has the migration policy \(name) "
            + "for \(entityName). That is Swift code of an application, which this tool cannot load: migrate the store "
            + "with the application." + (given.contains(url) ? "" : " --infer does without the mapping model."))
      }
    }
  }
}

/// The store's version.
private struct Origin {
  let version: ModelVersions.Version
  let configuration: StoreConfiguration
  /// Whether the model is a version of the destination's versioned model.
  let isVersion: Bool

  /// Looks for the store's model in --from; without --from, among the versions and then in the store itself.
  /// - Throws: a ``ToolError`` that says where the model was looked for.
  init(_ subject: MigrateSubject, _ versions: ModelVersions, from: URL?) throws {
    if let from {
      let given = try ModelVersions(from)
      // If a single version is given instead of a folder of versions, only that version is used.
      let isFolder = ["xcdatamodeld", "momd"].contains(given.url.pathExtension)
      guard let (found, configuration) = Self.fitting(subject, isFolder ? given.versions : [given.current]) else {
        throw StoreErrors.otherModel(given.url.path, given.current.model, of: subject.url, subject.hashes)
      }
      let same = versions.versions.first {
        $0.url.resolvingSymlinksInPath().path == found.url.resolvingSymlinksInPath().path
      }
      (version, self.configuration, isVersion) = (same ?? found, configuration, same != nil)
      return
    }
    if let (found, configuration) = Self.fitting(subject, versions.versions) {
      (version, self.configuration, isVersion) = (found, configuration, true)
      return
    }
    isVersion = false
    guard let model = subject.cachedModel, let configuration = subject.configuration(of: model) else {
      let own =
        subject.cachedModel == nil
        ? "it keeps no copy of its own" : "the copy that it keeps is of another version"
      let names = versions.versions.map { "“\($0.name)”" }.joined(separator: ", ")
      throw ToolError(
        "The model of the store \(subject.url.shown) is not found: it is none of \(names), and \(own). "
          + "Give it with --from.")
    }
    version = .init(name: "the store's own model", url: subject.url, model: model)
    self.configuration = configuration
  }

  /// Returns the versions, with the store's version in the place of one with the same hashes; if there is none, only the
  /// store's version.
  func place(in versions: [ModelVersions.Version]) -> [ModelVersions.Version] {
    if isVersion { return versions }
    let hashes = version.model.entityVersionHashesByName
    guard let place = versions.lastIndex(where: { $0.model.entityVersionHashesByName == hashes }) else {
      return [version]
    }
    var result = versions
    result[place] = version
    return result
  }

  /// Returns the latest version that fits the store and has the store's version identifiers, or else the latest that fits.
  private static func fitting(
    _ subject: MigrateSubject, _ versions: [ModelVersions.Version]
  ) -> (ModelVersions.Version, StoreConfiguration)? {
    let fitting = versions.reversed().compactMap { version in
      subject.configuration(of: version.model).map { (version, $0) }
    }
    return fitting.first { $0.0.model.hasVersionIdentifiers(of: subject.metadata) } ?? fitting.first
  }
}
