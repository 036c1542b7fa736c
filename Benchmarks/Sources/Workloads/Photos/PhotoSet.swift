import CoreData

/// The sets of indexes that the photos can have.
enum Indexing: String, CaseIterable {
  case none
  /// An index on the date, and an index on the likes.
  case single
  /// An index on the date, and an index on likes and date together.
  case compound

  /// The attributes of each index.
  var indexes: [[String]] {
    switch self {
    case .none: []
    case .single: [["date"], ["likes"]]
    case .compound: [["date"], ["likes", "date"]]
    }
  }
}

/// A data set: a number of photos, and their indexes.
struct PhotoSet {
  static let small = 10_000
  /// The size of a data set that only exists without indexes.
  static let medium = 200_000
  static let large = 1_000_000

  let count: Int
  let indexing: Indexing

  init(_ count: Int, _ indexing: Indexing) {
    self.count = count
    self.indexing = indexing
  }

  /// Returns the name of a measurement, made of the workload, the indexes, and 1M for the large set.
  func work(_ workload: String) -> String { "\(workload)-\(indexing)\(count == Self.large ? "-1M" : "")" }
}

extension Store {
  /// Returns the file of a data set, which is loaded once, and only read afterwards.
  func file(of set: PhotoSet) -> URL { folder.appending(path: "framework-photos-\(set.count)-\(set.indexing).sqlite") }

  /// Opens a loaded data set.
  func open(_ set: PhotoSet) throws -> AlbumStack {
    let stack = try AlbumStack(url: file(of: set), indexing: set.indexing)
    guard try stack.context.count(for: NSFetchRequest<Photo>(entityName: "Photo")) == set.count else {
      throw WorkloadError(description: "\(file(of: set).path) is not loaded; run 'prepare' or 'prepare-1M' first")
    }
    return stack
  }

  /// Copies a loaded data set and opens the copy.
  func openCopy(of set: PhotoSet) throws -> AlbumStack {
    try copy(file(of: set), to: scratch)
    return try AlbumStack(url: scratch, indexing: set.indexing)
  }

  /// Loads the data sets of one size; the large ones only if they do not exist yet.
  func preparePhotos(_ count: Int) throws {
    var records: [PhotoRecord] = []
    let indexings = count == PhotoSet.medium ? [.none] : Indexing.allCases
    for set in indexings.map({ PhotoSet(count, $0) }) {
      if count == PhotoSet.large, FileManager.default.fileExists(atPath: file(of: set).path) { continue }
      if records.isEmpty { records = PhotoRecord.make(count) }
      // The store is made under another name, so that an interrupted run leaves no incomplete store.
      try remove(scratch)
      let stack = try AlbumStack(url: scratch, indexing: set.indexing)
      _ = try stack.context.insert(records)
      try stack.close()
      try move(scratch, to: file(of: set))
    }
    try remove(scratch)
  }
}
