#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  extension ServerStore {
    /// Writes rows as they are read, either all or none of them. A handler can give its rows only once, so a request
    /// that fails because of concurrent transactions does not begin again.
    /// - Parameters:
    ///   - policy: what to do with a row whose unique values are taken.
    ///   - whenRead: called when all rows were read, before the commit.
    /// - Throws: an error of `BatchRows.next`; `BatchConflict`; 134030 for a string with U+0000; the errors of
    ///   `runBatch`.
    func insertBatch(
      _ rows: BatchRows, policy: NSMergePolicyType, _ options: BatchOptions, _ source: HistorySource,
      whenRead: () -> Void
    ) throws -> BatchChanges {
      try checkWriting()
      let insertion = BatchInsertion(self, try entity(rows.layout.entity), rows, policy)
      var keys: ContiguousArray<Int64>?
      if try insertion.reader.readFirst() {
        let count = insertion.reader.firstCount
        if count == 0 {
          whenRead()
          return BatchChanges()
        }
        do {
          keys = try takeKeys(count, of: insertion.entity.root)
        } catch let error as ServerError {
          throw error.cocoaError(self, isWriting: true)
        }
      }
      return try runBatch(options, source, repeats: false) { batch in
        try insertion.write(keys, batch)
        whenRead()
        if insertion.isStaged {
          try insertion.merge(batch)
        } else {
          insertion.noteInserted(batch)
        }
        if isLow(insertion.entity.root) { batch.addNewKeys(1, of: insertion.entity.root) }
      }
    }
  }
#endif
