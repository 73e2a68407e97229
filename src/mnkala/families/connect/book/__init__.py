"""Books of Connect: an array over all positions of their plies (`layers`, `bounds`), built by jobs (`build`, `work`), in a small file
(`file`). Where the package `bitbully-databases` is installed, its 12 plies are read too (`databases`). """
