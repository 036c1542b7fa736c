import CoreDataTools
import Foundation

/// Recordings as parts of pages. The recordings viewed last are kept as far as they were read, so that only the new part
/// of a growing recording is read.
actor RecordingViews {
  /// The parts of a recording's page.
  struct View: Sendable {
    var facts: RecordingReport.File
    var html: String
    /// The parts of the timeline as JSON.
    var timeline: String
    var size: Int
  }

  private struct Open {
    var follower: RecordingFollower
    var file: RecordingFile
    var view: View?
    var stores: [String: Set<String>] = [:]

    init(_ follower: RecordingFollower) {
      self.follower = follower
      file = self.follower.file()
    }
  }

  /// The number of recordings kept: a recording of a million events takes some hundred megabytes.
  private static let limit = 2
  /// The number of bars on the page.
  private static let parts = 240

  private var open: [(url: URL, open: Open)] = []

  /// The paths of the stores that a recording refers to.
  /// - Throws: A `ToolError` if the file is not a recording.
  func stores(of url: URL) throws -> [String] { try current(url).file.stores }

  /// - Parameter stores: The stores that links of the findings can lead to.
  /// - Throws: the errors of `stores(of:)`, and of rendering.
  func view(of url: URL, _ stores: [RecordedStore]) throws -> View {
    let size = RecordingCatalog.facts(url)?.size ?? 0
    var current = try current(url)
    if let view = current.view, view.size == size, current.stores == Self.known(stores) { return view }
    let links = FindingLinks(stores)
    let html = try InstrumentsPage(current.file) { links.links(of: $0) }.fragment(figures: false)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let timeline = try encoder.encode(current.file.timeline(parts: Self.parts))
    let view = View(
      facts: current.file.facts, html: html, timeline: String(decoding: timeline, as: UTF8.self), size: size)
    (current.view, current.stores) = (view, Self.known(stores))
    keep(url, current)
    return view
  }

  private static func known(_ stores: [RecordedStore]) -> [String: Set<String>] {
    Dictionary(stores.map { ($0.name, Set($0.entities.keys)) }) { first, _ in first }
  }

  /// Returns the recording, with the events written since the last call.
  private func current(_ url: URL) throws -> Open {
    guard var known = open.first(where: { $0.url == url })?.open else {
      let new = Open(try RecordingFollower(url))
      keep(url, new)
      return new
    }
    do {
      if try known.follower.update() { (known.file, known.view) = (known.follower.file(), nil) }
    } catch {
      open.removeAll { $0.url == url }
      throw error
    }
    keep(url, known)
    return known
  }

  private func keep(_ url: URL, _ new: Open) {
    open.removeAll { $0.url == url }
    open.append((url, new))
    if open.count > Self.limit { open.removeFirst() }
  }
}
