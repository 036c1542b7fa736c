import Foundation

/// An exchange of the contents of an atomic store's file. It throws if another process writes the file meanwhile.
struct FileExchange: StoreExchanging {
  private let place: MigrationPlace
  private let file: StoreFile

  init(_ place: MigrationPlace) throws {
    self.place = place
    file = try StoreFile(lookingAt: place.url, timeout: StoreOptionValue.timeout(place.options))
  }

  func metadata() throws -> [String: Any] { try place.metadata() }

  func takeContents(of other: URL, willCommit: () -> Void) throws {
    try file.replace(with: RegularFile.contents(other))
  }
}
