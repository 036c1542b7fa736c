import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request for the bytes of a seed that are missing. They are appended to a file as they come.
final class SeedTransfer: NSObject, URLSessionDataDelegate,
  @unchecked Sendable  // all variables belong to the session's queue of delegates, which runs one at a time
{
  private let manifest: SeedManifest
  private let source: URL
  private let part: URL
  private let limit: Int?
  private let each: @Sendable (Int) -> Void
  private var file: FileHandle?
  private var size = 0
  private var failure: (any Error)?
  private var ended: CheckedContinuation<Void, any Error>?

  /// - Parameter limit: The size of the file at which the transfer ends, as if it were interrupted; nil for none.
  init(
    _ manifest: SeedManifest, from source: URL, to part: URL, limit: Int?, each: @escaping @Sendable (Int) -> Void
  ) {
    self.manifest = manifest
    self.source = source
    self.part = part
    self.limit = limit
    self.each = each
  }

  /// Ends when all bytes are in the file.
  ///
  /// - Throws: A `SeedFailure`, or the errors of writing.
  func run() async throws {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let session = URLSession(configuration: SeedDownload.configuration, delegate: self, delegateQueue: queue)
    defer { session.finishTasksAndInvalidate() }
    let file = try FileHandle(forWritingTo: part)
    defer { try? file.close() }
    let size = Int(try file.seekToEnd())
    var request = URLRequest(url: source)
    if size > 0 { request.setValue("bytes=\(size)-", forHTTPHeaderField: "Range") }
    let task = session.dataTask(with: request)
    try await withCheckedThrowingContinuation { continuation in
      queue.addOperation {
        self.file = file
        self.size = size
        self.ended = continuation
        task.resume()
      }
    }
    try file.synchronize()
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    do {
      try accept(response)
      completionHandler(.allow)
    } catch {
      failure = error
      completionHandler(.cancel)
    }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    if failure != nil { return }
    do {
      if size + data.count > manifest.size {
        throw SeedFailure("\(source.absoluteString) sends more than the \(manifest.size) bytes that its manifest says.")
      }
      let end = min(data.count, max(0, (limit ?? .max) - size))
      try file?.write(contentsOf: data.prefix(end))
      size += end
      each(size)
      if end < data.count { throw SeedFailure("The download was stopped after \(size) of \(manifest.size) bytes.") }
    } catch {
      failure = error
      dataTask.cancel()
    }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let missing = manifest.size - size
    let failure: (any Error)? =
      if let failure = self.failure {
        failure
      } else if error != nil || missing > 0 {
        SeedFailure(
          "\(source.absoluteString) was interrupted after \(size) of \(manifest.size) bytes"
            + (error.map { ": \($0.localizedDescription)" } ?? "."), mayBeTriedAgain: true)
      } else {
        nil
      }
    if let failure { ended?.resume(throwing: failure) } else { ended?.resume() }
    ended = nil
  }

  /// Takes what the server is about to send: the bytes that are missing, or all.
  private func accept(_ response: URLResponse) throws {
    guard let response = response as? HTTPURLResponse else { throw SeedFailure("\(source) is not told by HTTP.") }
    switch response.statusCode {
    case 206:
      let range = response.value(forHTTPHeaderField: "Content-Range") ?? "nothing"
      guard range.hasPrefix("bytes \(size)-") else {
        throw SeedFailure("\(source.absoluteString) sends the range \(range); expected was one from byte \(size).")
      }
    case 200:
      // The server cannot send a part.
      try file?.truncate(atOffset: 0)
      try file?.seek(toOffset: 0)
      size = 0
    case let status:
      throw SeedFailure(
        "\(source.absoluteString) answers with \(status); expected was 200, or 206 for a part.",
        mayBeTriedAgain: status >= 500)
    }
  }
}
