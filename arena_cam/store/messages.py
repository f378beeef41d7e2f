"""What is refused of files from elsewhere, and why something is not kept."""

from __future__ import annotations

from arena_cam.domain.messages import Reason


class StoreRefusal(Reason):
    """What is not kept, or not kept any more."""

    NO_GAME = "no_game", "there is no game %(name)s; see /games for those there are"
    NO_THROW = "no_throw", "there is no throw %(name)s; see /throws for those there are"
    PICTURES_GONE = "pictures_gone", "the pictures of throw %(name)s are not kept any more"
    FILE_GONE = "file_gone", "%(name)s of throw %(throw)s is not kept any more"
    NO_NAME_HERE = "no_name_here", "%(name)s is not a name that is used here"
    NO_TOKEN = "no_token", "there is no token %(name)s; see /programs for those there are"
    NO_RECEIVER = "no_receiver", "there is no receiver %(name)s; see /programs for those there are"
    TOKEN_NAME = "token_name", "give the token a name of 1 to %(most)s characters"
    TOKEN_SCOPES = "token_scopes", "say what the token may do: one or more of %(names)s"


class ArchiveRefusal(Reason):
    """Why a zip file from elsewhere is not unpacked."""

    NO_ZIP = "no_zip", "this is no whole zip file; fetch it again"
    MANY_MEMBERS = "many_members", "this file holds %(count)s files, more than the %(most)s there can be"
    LARGE_UNPACKED = "large_unpacked", "this file unpacks to %(size_mb)s MB, more than the %(most_mb)s MB there can be"
    FOREIGN_NAME = "foreign_name", "the name %(name)s in it is not one that arena-cam writes; do not trust this file"
    LINK = "link", "%(name)s in it is a link; do not trust this file"
    BOMB = "bomb", "%(name)s in it unpacks to far more than it holds; do not trust this file"
    MEMBER_MISSING = "member_missing", "%(name)s is missing; give a file that arena-cam wrote"
    MEMBER_DAMAGED = "member_damaged", "%(name)s is damaged (%(text)s); fetch it again"


class DiskTrouble(Reason):
    """Why the disk takes less than it should."""

    LITTLE_FREE = "little_free", "only %(free_mb)s MB are free, %(wanted_mb)s MB must stay free; make room"
    OVER_BUDGET = (
        "over_budget",
        "kept pictures take %(size_mb)s MB of %(most_mb)s MB; unpin throws or delete games",
    )
    UNREACHABLE = "data_folder_gone", "%(name)s is gone; bring its disk back and start the referee again"
    NOT_KEPT = "pictures_not_kept", "this throw's pictures are not kept: %(why)s"
    NO_ROOM = (
        "no_room_for_pictures",
        (
            "there is no room for this throw's pictures, and all that are kept are pinned or of this round; "
            "the game goes on without them, make room"
        ),
    )
    FULL = "nothing_written", "%(name)s: the disk is full; make room, nothing was written"
    NOT_WRITABLE = "not_writable", "%(name)s: cannot be written (%(text)s); check the disk and its permissions"


class DatabaseTrouble(Reason):
    """Why the database cannot be opened or used; what is told names its file before it."""

    FULL = "database_full", "the disk is full; make room, nothing was changed"
    DAMAGED = "database_damaged", "is damaged or no database (%(text)s); restore a backup with arena-cam restore"
    IN_USE = "database_in_use", "is in use by another program; end that one and try again"
    UNREACHABLE = (
        "database_unreachable",
        "cannot be read or written (%(text)s); check the folder's permissions and the disk",
    )
    UNKNOWN = "database_error", "%(text)s; this should not happen, keep the file for a report"
    EMPTIED = (
        "database_emptied",
        (
            "is empty or gone, and what lies beside it is of games that it knew; restore a backup with arena-cam "
            "restore, or take the folder away to begin anew"
        ),
    )
    FOREIGN = "database_foreign", "is a database of another program; give another folder"
    NEWER = (
        "database_newer",
        (
            "was written by a newer arena-cam (its version %(version)s, ours %(ours)s); install that one, or give "
            "another folder"
        ),
    )
    CHANGES_MISSING = (
        "database_changes_missing",
        (
            "the last %(count)s changes are missing; put %(name)s back beside it, restore a backup with arena-cam "
            "restore, or remove %(mark)s to go on without them"
        ),
    )


class BackupTrouble(Reason):
    """Why what is recorded cannot be kept, backed up or brought back; the folder or file is named before it."""

    ARCHIVE_NOT_READ = "archive_not_read", "cannot be read (%(text)s); give a file that arena-cam wrote"
    NOTHING_HERE = "nothing_here", "there is nothing recorded here; give the folder that holds %(file)s"
    OCCUPIED = "occupied", "holds recorded games already; add --replace to move them aside, or give another folder"
    NO_BACKUP = "backup_no_backup", "this is no backup; give one that arena-cam backup or the page /upkeep made"
    BACKUP_WITHOUT = "backup_without", "holds no %(file)s; give a file that arena-cam backup wrote"
    NOT_USED = "not_used", "cannot be used (%(text)s); check its disk and permissions"
    PLACE_NOT_WRITTEN = "place_not_written", "cannot be written (%(text)s); give another place"
    FOLDER_IN_USE = "folder_in_use", "another arena-cam is using this folder; end it first, or give another"
    ROOM_NEEDED = "room_needed", "%(size_mb)s MB are needed there and not free; make room"
    FOLDER_NOT_WRITTEN = "folder_not_written", "cannot be written (%(text)s); give another folder"
    FOLDER_NOT_MADE = "folder_not_made", "cannot be made (%(text)s); give another folder"
