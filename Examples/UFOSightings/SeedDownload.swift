import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Downloads a seed into a file, and goes on where an earlier download stopped: in this run or in one before.
struct SeedDownload {
  /// What a download did.
  struct Result {
    /// The bytes that an earlier run had left.
    var kept = 0
    /// The bytes that came in this run.
    var received = 0
    /// How often the download went on after it was interrupted in this run.
    var resumed = 0
  }

  /// The manifest's address.
  let address: URL
  /// The file that gets the bytes. What is in it at first is the beginning of the seed, or of another one.
  let part: URL
  /// Ends the download after so many bytes of this run, as a program does that is ended by its user.
  var stopAfter: Int?
  /// How long to wait before each further try, in seconds.
  var pauses: [Double] = [0.2, 1, 5]

  /// Asks the server for the manifest.
  ///
  /// - Throws: A `SeedFailure`.
  func manifest() async throws -> SeedManifest {
    let session = URLSession(configuration: Self.configuration)
    defer { session.finishTasksAndInvalidate() }
    let (data, response): (Data, URLResponse)
    do {
      (data, response) = try await session.data(from: address)
    } catch {
      throw SeedFailure(
        "\(address.absoluteString) gives no answer: \(error.localizedDescription)", mayBeTriedAgain: true)
    }
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    if status != 200 { throw SeedFailure("\(address.absoluteString) answers with \(status); expected was 200.") }
    return try SeedManifest(reading: data, from: address.absoluteString)
  }

  /// Fetches the bytes that are missing, and checks the whole.
  ///
  /// - Parameter each: Called with the number of bytes so far, on a thread of the download.
  /// - Throws: A `SeedFailure`, or the errors of writing the file. The bytes that have come stay, unless they are wrong.
  func run(_ manifest: SeedManifest, each: @escaping @Sendable (Int) -> Void) async throws -> Result {
    var result = Result()
    try begin(manifest)
    result.kept = try SeedManifest.size(of: part)
    var size = result.kept
    var pauses = pauses[...]
    while size < manifest.size {
      do {
        let limit = stopAfter.map { result.kept + $0 }
        try await SeedTransfer(manifest, from: source(manifest), to: part, limit: limit, each: each).run()
      } catch let failure as SeedFailure where failure.mayBeTriedAgain {
        let now = try SeedManifest.size(of: part)
        // A try that brought something is no failure: the waiting begins anew.
        if now > size { pauses = self.pauses[...] }
        guard let pause = pauses.popFirst() else { throw failure }
        try await Task.sleep(for: .seconds(pause))
        result.resumed += 1
      }
      size = try SeedManifest.size(of: part)
      result.received = size - result.kept
    }
    do {
      try manifest.check(part)
    } catch {
      // Nothing of it can be used: the next run begins from nothing.
      try? FileManager.default.removeItem(at: part)
      throw error
    }
    return result
  }

  /// Where the store is: beside the manifest.
  private func source(_ manifest: SeedManifest) -> URL {
    address.deletingLastPathComponent().appending(path: manifest.file)
  }

  /// Makes sure that the file has the beginning of this seed, not of another one, and notes whose it is.
  private func begin(_ manifest: SeedManifest) throws {
    let note = part.appendingPathExtension("json")
    let noted = try? SeedManifest(reading: Data(contentsOf: note), from: note.path)
    if noted != manifest || (try? SeedManifest.size(of: part)) ?? 0 > manifest.size {
      try? FileManager.default.removeItem(at: part)
      try manifest.data().write(to: note, options: .atomic)
    }
    if !FileManager.default.fileExists(atPath: part.path) { try Data().write(to: part) }
  }

  static var configuration: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.timeoutIntervalForRequest = 60
    return configuration
  }
}
